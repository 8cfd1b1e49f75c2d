#include "constraints/origins.h"
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_NAME 120 /* the last characters of a file's name */

seg_status seg_origins_begin(seg_context *ctx, seg_constraints *constraints, const char *file) {
    if (!constraints->origins && !(constraints->origins = seg_alloc_zero(ctx, 1, sizeof *constraints->origins)))
        return SEG_ERR_MEMORY;
    seg_pair_origins *o = constraints->origins;
    if (seg_extend(ctx, &o->file, (size_t)o->files, sizeof *o->file))
        return SEG_ERR_MEMORY;
    const size_t size = strlen(file) + 1;
    if (!(o->file[o->files] = seg_alloc(ctx, size, 1)))
        return SEG_ERR_MEMORY;
    memcpy(o->file[o->files++], file, size);
    return SEG_OK;
}

seg_status seg_origins_add(seg_context *ctx, seg_constraints *constraints, const seg_pair_origin *origin) {
    seg_pair_origins *o = constraints->origins;
    if (seg_extend(ctx, &o->entry, o->entries, sizeof *o->entry))
        return SEG_ERR_MEMORY;
    o->entry[o->entries] = *origin;
    o->entry[o->entries++].file = o->files - 1;
    return SEG_OK;
}

void seg_origins_cut(seg_constraints *constraints, int files, size_t entries) {
    seg_pair_origins *o = constraints->origins;
    if (!o)
        return;
    while (o->files > files)
        free(o->file[--o->files]);
    o->entries = entries;
}

void seg_origins_free(seg_pair_origins *origins) {
    if (!origins)
        return;
    while (origins->files > 0)
        free(origins->file[--origins->files]);
    free(origins->file);
    free(origins->entry);
    free(origins);
}

const seg_pair_origin *seg_origins_find(const seg_constraints *constraints, const seg_pair *pair) {
    const seg_pair_origins *o = constraints->origins;
    for (size_t tried = 0; o && tried < o->entries; tried++) {
        const size_t e = (o->next + tried) % o->entries;
        const seg_pair *p = &o->entry[e].pair;
        if (p->sign == pair->sign && ((p->i == pair->i && p->j == pair->j) || (p->i == pair->j && p->j == pair->i)))
            return &o->entry[e];
    }
    return NULL;
}

void seg_origin_end(const seg_pair_origin *origin, int32_t sample, char text[SEG_END_SIZE]) {
    if (origin && origin->pixels) {
        const int end = origin->pair.i == sample ? 0 : 1;
        snprintf(text, SEG_END_SIZE, "(%d,%d)", origin->x[end], origin->y[end]);
    } else {
        snprintf(text, SEG_END_SIZE, "%d", sample + (origin ? origin->base : 0));
    }
}

void seg_origin_place(const seg_constraints *constraints, const seg_pair_origin *origin, int *file,
                      char text[SEG_PLACE_SIZE]) {
    text[0] = 0;
    if (!origin)
        return;
    const char *name = constraints->origins->file[origin->file];
    const size_t length = strlen(name);
    if (*file == origin->file)
        snprintf(text, SEG_PLACE_SIZE, " (line %zu)", origin->line);
    else
        snprintf(text, SEG_PLACE_SIZE, " (%s%s, line %zu)", length > SHOWN_NAME ? "..." : "",
                 name + (length > SHOWN_NAME ? length - SHOWN_NAME : 0), origin->line);
    *file = origin->file;
}

void seg_origin_pair(const seg_constraints *constraints, const seg_pair *pair, int *file, char *text, size_t size) {
    const seg_pair_origin *origin = seg_origins_find(constraints, pair);
    char first[SEG_END_SIZE], second[SEG_END_SIZE], place[SEG_PLACE_SIZE];
    seg_origin_end(origin, pair->i, first);
    seg_origin_end(origin, pair->j, second);
    seg_origin_place(constraints, origin, file, place);
    snprintf(text, size, "%s %s %s%s", first, pair->sign > 0 ? "=" : "!=", second, place);
}

int seg_origin_label(const seg_constraints *constraints, int group) {
    const seg_pair_origins *o = constraints->origins;
    return o && o->label ? o->label[group] : group + 1;
}

void seg_origin_stroke(const seg_constraints *constraints, int32_t sample, char text[SEG_END_SIZE]) {
    const seg_pair_origins *o = constraints->origins;
    const int group = constraints->group[sample];
    if (o && o->scribbles && group >= 0) {
        const seg_patch_grid *grid = o->grid;
        const int left = sample % grid->columns * grid->side, top = sample / grid->columns * grid->side;
        for (int y = top; y < top + grid->side && y < grid->height; y++)
            for (int x = left; x < left + grid->side && x < grid->width; x++)
                if (o->scribbles->label[(size_t)y * (size_t)grid->width + (size_t)x] == o->label[group]) {
                    snprintf(text, SEG_END_SIZE, "(%d,%d)", x, y);
                    return;
                }
    }
    snprintf(text, SEG_END_SIZE, "%d", sample);
}
