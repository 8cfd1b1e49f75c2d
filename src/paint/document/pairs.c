#include "paint/document/pairs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- From JSON. --- */

static int read_place(const json_t *x, const json_t *y, int width, int height, int *out_x, int *out_y) {
    if (!json_is_integer(x) || !json_is_integer(y) || json_integer_value(x) < 0 || json_integer_value(x) >= width ||
        json_integer_value(y) < 0 || json_integer_value(y) >= height)
        return 0;
    *out_x = (int)json_integer_value(x);
    *out_y = (int)json_integer_value(y);
    return 1;
}

static paint_refusal read_pair(const json_t *const place[4], const json_t *sign, int width, int height,
                               paint_pair *out) {
    memset(out, 0, sizeof *out);
    out->weight = 1;
    for (int end = 0; end < 2; end++)
        if (!read_place(place[2 * end], place[2 * end + 1], width, height, &out->x[end], &out->y[end]))
            return "an answer names two pixels of the image, each by column and row";
    if (out->x[0] == out->x[1] && out->y[0] == out->y[1])
        return "an answer must name two different pixels";
    if (!json_is_integer(sign) || json_integer_value(sign) < -1 || json_integer_value(sign) > 1)
        return "an answer's sign is 1 (one region), -1 (not) or 0 (skipped)";
    out->sign = (int)json_integer_value(sign);
    return NULL;
}

paint_refusal paint_pair_read(const json_t *json, int width, int height, paint_pair *out) {
    const json_t *a = json_object_get(json, "a"), *b = json_object_get(json, "b");
    const json_t *const place[] = {json_array_get(a, 0), json_array_get(a, 1), json_array_get(b, 0),
                                   json_array_get(b, 1)};
    return read_pair(place, json_object_get(json, "sign"), width, height, out);
}

static paint_refusal read_row(const json_t *row, int width, int height, paint_pair *out) {
    const json_t *const place[] = {json_array_get(row, 0), json_array_get(row, 1), json_array_get(row, 2),
                                   json_array_get(row, 3)};
    const size_t size = json_array_size(row);
    const json_t *weight = json_array_get(row, 5);
    const paint_refusal refusal = read_pair(place, json_array_get(row, 4), width, height, out);
    if (refusal || size == 5)
        return refusal;
    out->weight = json_number_value(weight);
    return size == 6 && json_is_number(weight) && out->weight >= SEG_LEAST_WEIGHT && out->weight <= SEG_LARGEST_WEIGHT
               ? NULL
               : "an answer of a list has two pixels, a sign, and a weight or none";
}

paint_refusal paint_pairs_check(const json_t *list, int width, int height) {
    paint_refusal refusal = json_is_array(list) ? NULL : "answers are a list";
    paint_pair pair;
    for (size_t i = 0; i < json_array_size(list) && !refusal; i++)
        refusal = read_row(json_array_get(list, i), width, height, &pair);
    return refusal;
}

/* --- The list. --- */

int paint_pairs_add(paint_pairs *pairs, const paint_pair *pair, size_t act) {
    if (pairs->count == pairs->room) {
        const size_t room = pairs->room ? 2 * pairs->room : 16;
        paint_pair *grown = realloc(pairs->at, room * sizeof *grown);
        if (!grown)
            return 0;
        pairs->at = grown;
        pairs->room = room;
    }
    pairs->at[pairs->count] = *pair;
    pairs->at[pairs->count++].act = act;
    return 1;
}

int paint_pairs_add_list(paint_pairs *pairs, const json_t *list, size_t act) {
    paint_pair pair;
    for (size_t i = 0; i < json_array_size(list); i++)
        if (read_row(json_array_get(list, i), SEG_MAX_SIDE, SEG_MAX_SIDE, &pair) || !paint_pairs_add(pairs, &pair, act))
            return 0;
    return 1;
}

void paint_pairs_free(paint_pairs *pairs) {
    free(pairs->at);
    *pairs = (paint_pairs){0};
}

int paint_pair_is(const paint_pair *a, const paint_pair *b) {
    return a->x[0] == b->x[0] && a->y[0] == b->y[0] && a->x[1] == b->x[1] && a->y[1] == b->y[1] && a->sign == b->sign;
}

size_t paint_pairs_of_sign(const paint_pairs *pairs, int sign) {
    size_t count = 0;
    for (size_t p = 0; p < pairs->count; p++)
        count += pairs->at[p].sign == sign;
    return count;
}

/* --- The file. --- */

char *paint_pairs_text(const paint_pairs *pairs, size_t *size) {
    char *text = NULL;
    FILE *to = open_memstream(&text, size);
    if (!to)
        return NULL;
    fputs("# answers of segment paint\n# x1,y1,x2,y2,sign: 1 must link, -1 cannot link, 0 not known\n", to);
    for (size_t p = 0; p < pairs->count; p++) {
        const paint_pair *a = &pairs->at[p];
        fprintf(to, "%d,%d,%d,%d,%d", a->x[0], a->y[0], a->x[1], a->y[1], a->sign);
        if (a->weight != 1)
            fprintf(to, ",%.17g", a->weight);
        fputc('\n', to);
    }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

void paint_patch_middle(const seg_patch_grid *grid, int32_t patch, int *x, int *y) {
    const int left = patch % grid->columns * grid->side, top = patch / grid->columns * grid->side;
    *x = (left + (left + grid->side < grid->width ? left + grid->side : grid->width)) / 2;
    *y = (top + (top + grid->side < grid->height ? top + grid->side : grid->height)) / 2;
}

static void put_rows(json_t *list, const seg_constraints *from, const seg_patch_grid *grid, int skipped) {
    for (size_t p = 0; p < from->pairs; p++) {
        const seg_pair *pair = &from->pair[p];
        int x[2], y[2];
        paint_patch_middle(grid, pair->i, &x[0], &y[0]);
        paint_patch_middle(grid, pair->j, &x[1], &y[1]);
        json_t *row = json_pack("[i, i, i, i, i]", x[0], y[0], x[1], y[1], skipped ? 0 : pair->sign);
        if (pair->weight != 1)
            json_array_append_new(row, json_real(pair->weight));
        json_array_append_new(list, row);
    }
}

seg_status paint_pairs_from_file(seg_context *ctx, const char *path, const seg_patch_grid *grid, json_t **out) {
    const size_t patches = (size_t)grid->columns * (size_t)grid->rows;
    seg_constraints known = {0}, unknown = {0};
    *out = NULL;
    seg_status status = seg_constraints_create(ctx, patches, &known);
    if (status == SEG_OK)
        status = seg_constraints_create(ctx, patches, &unknown);
    if (status == SEG_OK)
        status = seg_constraints_read(ctx, path, grid, 0, &known, &unknown);
    if (status == SEG_OK) {
        json_t *list = json_array();
        put_rows(list, &known, grid, 0);
        put_rows(list, &unknown, grid, 1);
        *out = json_pack("{s:o}", "answers", list);
        status = *out ? SEG_OK : SEG_ERR_MEMORY;
    }
    seg_constraints_free(&known);
    seg_constraints_free(&unknown);
    return status;
}

/* --- As constraints. --- */

static int32_t patch_of(const seg_patch_grid *grid, int x, int y) {
    return (int32_t)(y / grid->side * grid->columns + x / grid->side);
}

seg_status paint_pairs_constrain(seg_context *ctx, const paint_pairs *pairs, const seg_patch_grid *grid,
                                 seg_constraints *out, seg_constraints *unknown, char message[SEG_MESSAGE_SIZE]) {
    seg_status status = SEG_OK;
    for (size_t p = 0; p < pairs->count && status == SEG_OK; p++) {
        const paint_pair *a = &pairs->at[p];
        const seg_pair pair = {patch_of(grid, a->x[0], a->y[0]), patch_of(grid, a->x[1], a->y[1]),
                               a->sign ? a->sign : 1, a->weight};
        if (pair.i == pair.j && a->sign < 0) {
            snprintf(message, SEG_MESSAGE_SIZE,
                     "an answer puts (%d,%d) and (%d,%d) in two regions, but both are in one patch of %d x %d pixels, "
                     "which cannot be divided: choose smaller patches, or delete the answer",
                     a->x[0], a->y[0], a->x[1], a->y[1], grid->side, grid->side);
            status = SEG_ERR_INPUT;
        } else if (pair.i != pair.j && (a->sign || unknown)) {
            status = seg_constraints_add(ctx, a->sign ? out : unknown, pair);
        }
    }
    return status;
}

static int cannot_link(const seg_closure *closure, int32_t a, int32_t b) {
    const int32_t first = a < b ? a : b, second = a < b ? b : a;
    size_t low = 0, high = closure->cannots;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int32_t *at = closure->cannot + 2 * middle;
        if (at[0] < first || (at[0] == first && at[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return low < closure->cannots && closure->cannot[2 * low] == first && closure->cannot[2 * low + 1] == second;
}

/* A component, and the number of components that it cannot link to. */
typedef struct degree {
    int32_t component;
    size_t cannots;
} degree;

static int most_first(const void *a, const void *b) {
    const degree *x = a, *y = b;
    return x->cannots != y->cannots ? (x->cannots < y->cannots) - (x->cannots > y->cannots)
                                    : (x->component > y->component) - (x->component < y->component);
}

static int grow_clique(const seg_closure *closure, const degree *list) {
    int32_t taken[SEG_MAX_LABELS];
    int count = 0;
    for (int32_t c = 0; c < closure->components && count < SEG_MAX_LABELS; c++) {
        int apart = 1;
        for (int t = 0; t < count && apart; t++)
            apart = cannot_link(closure, taken[t], list[c].component);
        if (apart)
            taken[count++] = list[c].component;
    }
    return count;
}

int paint_least_regions(seg_context *ctx, seg_constraints *constraints, seg_contradictions policy) {
    if (seg_constraints_close(ctx, constraints, policy) != SEG_OK)
        return 0;
    const seg_closure *closure = constraints->closure;
    degree *list = calloc((size_t)closure->components + 1, sizeof *list);
    int count = 0;
    if (list) {
        for (int32_t c = 0; c < closure->components; c++)
            list[c].component = c;
        for (size_t p = 0; p < 2 * closure->cannots; p++)
            list[closure->cannot[p]].cannots++;
        qsort(list, (size_t)closure->components, sizeof *list, most_first);
        count = grow_clique(closure, list);
    }
    free(list);
    return count;
}
