#include "constraints/origins.h"
#include "base/base.h"

#define SHOWN_NAME 120 /* longer file names are shortened to their last characters */

enum { END_SIZE = 40, PLACE_SIZE = 192 };

seg_status seg_origins_begin(seg_context *ctx, seg_constraints *constraints, const char *file) {
    seg_constraints_notes *notes = seg_constraints_note(ctx, constraints);
    if (!notes || (!notes->origins && !(notes->origins = seg_alloc_zero(ctx, 1, sizeof *notes->origins))))
        return SEG_ERR_MEMORY;
    seg_pair_origins *o = notes->origins;
    SEG_TRY(seg_extend(ctx, &o->file, (size_t)o->files, sizeof *o->file));
    const size_t size = strlen(file) + 1;
    if (!(o->file[o->files] = seg_alloc(ctx, size, 1)))
        return SEG_ERR_MEMORY;
    memcpy(o->file[o->files++], file, size);
    return SEG_OK;
}

seg_status seg_origins_add(seg_context *ctx, seg_constraints *constraints, const seg_pair_origin *origin) {
    seg_pair_origins *o = constraints->notes->origins;
    SEG_TRY(seg_extend(ctx, &o->entry, o->entries, sizeof *o->entry));
    o->entry[o->entries] = *origin;
    o->entry[o->entries++].file = o->files - 1;
    return SEG_OK;
}

void seg_origins_cut(seg_constraints *constraints, int files, size_t entries) {
    seg_pair_origins *o = seg_constraints_noted(constraints).origins;
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
    const seg_pair_origins *o = seg_constraints_noted(constraints).origins;
    for (size_t tried = 0; o && tried < o->entries; tried++) {
        const size_t e = (o->next + tried) % o->entries;
        const seg_pair *p = &o->entry[e].pair;
        if (p->sign == pair->sign && ((p->i == pair->i && p->j == pair->j) || (p->i == pair->j && p->j == pair->i)))
            return &o->entry[e];
    }
    return NULL;
}

/* "3", or "(10,20)" where the file gives pixels. */
static void write_end(const seg_pair_origin *origin, int32_t sample, char text[END_SIZE]) {
    if (origin && origin->pixels) {
        const int end = origin->pair.i == sample ? 0 : 1;
        snprintf(text, END_SIZE, "(%d,%d)", origin->x[end], origin->y[end]);
    } else {
        snprintf(text, END_SIZE, "%d", sample + (origin ? origin->base : 0));
    }
}

void seg_origin_pair(const seg_constraints *constraints, const seg_pair *pair, char *text, size_t size) {
    const seg_pair_origin *origin = seg_origins_find(constraints, pair);
    char first[END_SIZE], second[END_SIZE], place[PLACE_SIZE] = "";
    write_end(origin, pair->i, first);
    write_end(origin, pair->j, second);
    if (origin) {
        const char *name = constraints->notes->origins->file[origin->file];
        const size_t length = strlen(name);
        snprintf(place, sizeof place, " (%s%s, line %zu)", length > SHOWN_NAME ? "..." : "",
                 name + (length > SHOWN_NAME ? length - SHOWN_NAME : 0), origin->line);
    }
    snprintf(text, size, "%s %s %s%s", first, pair->sign > 0 ? "=" : "!=", second, place);
}

int seg_origin_label(const seg_constraints *constraints, int group) {
    const seg_pair_origins *o = seg_constraints_noted(constraints).origins;
    return o && o->label ? o->label[group] : group + 1;
}
