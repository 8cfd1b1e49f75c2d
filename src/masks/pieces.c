#include "masks/pieces.h"
#include "base/base.h"
#include "features/grid.h"

uint32_t seg_piece_root(seg_label_run *runs, uint32_t r) {
    while (runs[r].parent != r)
        r = runs[r].parent = runs[runs[r].parent].parent;
    return r;
}

/* Join the runs of row y with those of an earlier row that they touch and share a label with. */
static void join_rows(const seg_label_rows *r, int earlier, int y) {
    size_t a = r->first[earlier], b = r->first[y];
    while (a < r->first[earlier + 1] && b < r->first[y + 1]) {
        const seg_label_run *above = &r->run[a], *here = &r->run[b];
        if (above->from < here->to && here->from < above->to && above->label == here->label) {
            const uint32_t p = seg_piece_root(r->run, (uint32_t)a), q = seg_piece_root(r->run, (uint32_t)b);
            r->run[p > q ? p : q].parent = p > q ? q : p;
        }
        if (above->to < here->to)
            a++;
        else
            b++;
    }
}

/* Rows of a slice; of an image all. */
static int slice_of(const seg_label_rows *r) {
    return r->slice ? r->slice : r->height;
}

void seg_pieces_join(seg_label_rows *rows) {
    const int slice = slice_of(rows);
    seg_label_rows_merge(rows);
    for (int y = 0; y < rows->height; y++) {
        if (y % slice > 0)
            join_rows(rows, y - 1, y);
        if (y >= slice)
            join_rows(rows, y - slice, y);
    }
}

/* A run of a piece that may change its label. */
typedef struct piece_run {
    uint32_t root, number;
    int y;
    uint8_t own, winner; /* labels */
} piece_run;

/* By piece, and within a piece from the top left. */
static int order(const void *a, const void *b) {
    const piece_run *x = a, *y = b;
    SEG_ORDER_BY(x->root, y->root);
    return (x->number > y->number) - (x->number < y->number);
}

/* Count `pixels` border pixels for the label of a run, if its piece is large enough. */
static void touch_one(const seg_label_rows *r, size_t run, size_t least, int pixels, size_t touch[256]) {
    if (least == 0 || r->run[seg_piece_root(r->run, (uint32_t)run)].pixels >= least)
        touch[r->run[run].label] += (size_t)pixels;
}

/* Count the labels of pixels from .. to-1 of row y. */
static void touch_row(const seg_label_rows *r, int y, int from, int to, size_t least, size_t touch[256]) {
    for (size_t i = seg_label_rows_at(r, from, y); from < to; i++) {
        const int end = r->run[i].to < to ? r->run[i].to : to;
        touch_one(r, i, least, end - from, touch);
        from = end;
    }
}

/* 1 where pixels from .. to-1 of row y contain a mark of the column, or of any column if it is -1. */
static int is_marked(const seg_pixel_scribbles *scribbles, int y, int from, int to, int column) {
    const seg_label_rows *rows = scribbles ? scribbles->rows : NULL;
    for (size_t i = rows ? seg_label_rows_at(rows, from, y) : 0; rows && from < to; i++) {
        const int mark = scribbles->column[rows->run[i].label];
        if (mark >= 0 && (column < 0 || mark == column))
            return 1;
        from = rows->run[i].to;
    }
    return 0;
}

/* Count the labels that the pixels of a run touch. */
static void touch_run(const seg_label_rows *r, size_t least, const piece_run *s, size_t touch[256]) {
    const seg_label_run *own = &r->run[s->number];
    if (own->from > 0)
        touch_one(r, s->number - 1, least, 1, touch);
    if (own->to < r->width)
        touch_one(r, s->number + 1, least, 1, touch);
    const int slice = slice_of(r), y = s->y;
    const int beside[4] = {y % slice > 0 ? y - 1 : -1, (y + 1) % slice ? y + 1 : -1, y - slice, y + slice};
    for (int i = 0; i < 4; i++)
        if (beside[i] >= 0 && beside[i] < r->height)
            touch_row(r, beside[i], own->from, own->to, least, touch);
    touch[own->label] = 0; /* its own inside is not a border */
}

/* Set `winner` of each piece of the list to the label that most of its border touches (the smallest of equals), or to
 * its own if it has no border. Only borders with pieces whose root has at least `least` pixels count. The list is in
 * this order. */
static void decide(const seg_label_rows *r, size_t least, piece_run *list, size_t count) {
    for (size_t first = 0, last; first < count; first = last) {
        size_t touch[256] = {0}, most = 0;
        uint8_t winner = r->run[list[first].number].label;
        for (last = first; last < count && list[last].root == list[first].root; last++)
            touch_run(r, least, &list[last], touch);
        for (int l = 0; l < 256; l++)
            if (touch[l] > most) {
                most = touch[l];
                winner = (uint8_t)l;
            }
        for (size_t i = first; i < last; i++)
            list[i].winner = winner;
    }
}

/* The runs of all pieces whose root has fewer than `least` pixels, piece by piece. */
static seg_status list_pieces(seg_context *ctx, const seg_label_rows *r, size_t least, piece_run **out, size_t *count) {
    size_t found = 0;
    for (size_t i = 0; i < r->first[r->height]; i++)
        found += r->run[seg_piece_root(r->run, (uint32_t)i)].pixels < least;
    *count = 0;
    SEG_TRY(seg_allocated(*out = seg_alloc(ctx, found, sizeof **out)));
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
            if (r->run[own].pixels < least)
                (*out)[(*count)++] = (piece_run){own, (uint32_t)i, y, r->run[i].label, 0};
        }
    qsort(*out, *count, sizeof **out, order);
    return SEG_OK;
}

/* Let the root of each piece know its pixels; of small ones with a marked pixel the largest number, so that they stay.
 * The numbers saturate instead of overflowing. */
static void count_pixels(const seg_label_rows *r, const seg_pixel_scribbles *scribbles, size_t least) {
    for (size_t i = 0; i < r->first[r->height]; i++) {
        const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
        const uint64_t both = (uint64_t)r->run[own].pixels + r->run[i].pixels;
        if (own != i)
            r->run[own].pixels = both < UINT32_MAX ? (uint32_t)both : UINT32_MAX;
    }
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++) {
            const uint32_t own = seg_piece_root(r->run, (uint32_t)i);
            if (r->run[own].pixels < least && is_marked(scribbles, y, r->run[i].from, r->run[i].to, -1))
                r->run[own].pixels = UINT32_MAX;
        }
}

/* Set the labels of the runs of small pieces; the runs are joined. The first time all neighbours of a piece count, with
 * `again` only those that stay: each piece that changes then joins one of these, so that the repetition ends. changed:
 * 1 where any label changed */
static seg_status settle_small(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least, int again,
                               seg_label_rows *r, int *changed) {
    SEG_FREED piece_run *list = NULL;
    size_t count = 0;
    *changed = 0;
    count_pixels(r, scribbles, least);
    SEG_TRY(list_pieces(ctx, r, least, &list, &count));
    if (count == r->first[r->height]) /* there is no region that pieces could join: neighbours would change places */
        return SEG_OK;
    decide(r, again ? least : 0, list, count);
    for (size_t i = 0; i < count; i++) {
        *changed |= list[i].winner != r->run[list[i].number].label;
        r->run[list[i].number].label = list[i].winner;
    }
    return SEG_OK;
}

/* The label around a small piece may have changed too: if the piece is still small, it is judged again. */
seg_status seg_specks_remove(seg_context *ctx, const seg_pixel_scribbles *scribbles, size_t least,
                             seg_label_rows *rows) {
    for (int again = 0, changed = 1; changed; again = 1) {
        seg_pieces_join(rows);
        SEG_TRY(settle_small(ctx, scribbles, least, again, rows, &changed));
    }
    seg_label_rows_merge(rows);
    return SEG_OK;
}

#define LEAST_SCORE 1e-4

enum { OPEN = 255 }; /* label of a piece that has no new label yet; columns are smaller */

/* Whether a run contains a stroke of its own label, a patch named for this label, or background at the frame. */
static int is_held(const seg_label_run *run, int y, const seg_pixel_scribbles *scribbles, const seg_island_scores *s) {
    if (is_marked(scribbles, y, run->from, run->to, run->label))
        return 1;
    if (s->frame_is_ground && run->label == 1 &&
        (y == 0 || y + 1 == s->grid->height || run->from == 0 || run->to == s->grid->width))
        return 1;
    for (int x = run->from; s->named && x < run->to; x++)
        if (s->named[seg_patch_of_pixel(s->grid, x, y)] == run->label)
            return 1;
    return 0;
}

/* Join the runs of each piece and set `pixels` of its root: 0 of islands, 1 of pieces with a run that is held, of all
 * those of labels without such a piece, and of labels whose islands stay. */
static void find_islands(seg_label_rows *r, const seg_pixel_scribbles *scribbles, const seg_island_scores *s,
                         const uint8_t *rule) {
    int rooted[256] = {0};
    seg_pieces_join(r);
    const size_t runs = r->first[r->height];
    for (size_t i = 0; i < runs; i++)
        r->run[i].pixels = 0;
    for (int y = 0; y < r->height; y++)
        for (size_t i = r->first[y]; i < r->first[y + 1]; i++)
            if (is_held(&r->run[i], y, scribbles, s))
                rooted[r->run[i].label] = r->run[seg_piece_root(r->run, (uint32_t)i)].pixels = 1;
    for (size_t i = 0; i < runs; i++)
        if (!rooted[r->run[i].label] || rule[r->run[i].label] == SEG_ISLAND_STAYS)
            r->run[i].pixels = 1;
}

/* The mean over a piece's pixels of log(score of its label / score of the label around it). */
static double support(const seg_label_rows *r, const piece_run *list, size_t count, const seg_island_scores *s) {
    const seg_matrix *score = s->score;
    double sum = 0, pixels = 0;
    for (size_t i = 0; i < count; i++) {
        const seg_label_run *run = &r->run[list[i].number];
        const double added = s->shift * ((list[i].own == 0) - (list[i].winner == 0));
        for (int x = run->from; x < run->to; x++) {
            const double *at = score->at + seg_patch_of_pixel(s->grid, x, list[i].y) * score->cols;
            sum += log((at[list[i].own] + LEAST_SCORE) / (at[list[i].winner] + LEAST_SCORE)) - added;
        }
        pixels += run->to - run->from;
    }
    return sum / pixels;
}

/* Remove from the list the judged pieces with a support of at least `least`. @return the number of runs left */
static size_t drop_supported(const seg_label_rows *r, const uint8_t *rule, const seg_island_scores *s, double least,
                             piece_run *list, size_t count) {
    size_t left = 0;
    decide(r, 0, list, count);
    for (size_t first = 0, last; first < count; first = last) {
        for (last = first; last < count && list[last].root == list[first].root; last++)
            ;
        if (rule[list[first].own] == SEG_ISLAND_IS_JUDGED && support(r, list + first, last - first, s) >= least)
            continue;
        memmove(list + left, list + first, (last - first) * sizeof *list);
        left += last - first;
    }
    return left;
}

/* Repeatedly give islands that touch settled pieces a label of these, so that an island inside an island follows it.
 * Islands that never touch a settled piece keep their labels. */
static void settle_islands(const seg_label_rows *r, piece_run *list, size_t count, size_t *changed) {
    size_t open = count;
    for (size_t i = 0; i < count; i++)
        r->run[list[i].number].label = OPEN;
    for (size_t before = count + 1; open > 0 && open < before;) {
        before = open;
        open = 0;
        decide(r, 0, list, before);
        for (size_t i = 0; i < before; i++)
            if (list[i].winner == OPEN) {
                list[open++] = list[i];
            } else {
                seg_label_run *own = &r->run[list[i].number];
                *changed += list[i].own != list[i].winner ? (size_t)(own->to - own->from) : 0;
                own->label = list[i].winner;
            }
    }
    for (size_t i = 0; i < open; i++)
        r->run[list[i].number].label = list[i].own;
}

seg_status seg_islands_settle(seg_context *ctx, const seg_pixel_scribbles *scribbles, const uint8_t *rule,
                              const seg_island_scores *scores, seg_label_rows *rows, size_t *changed) {
    SEG_FREED piece_run *list = NULL;
    size_t count = 0;
    *changed = 0;
    find_islands(rows, scribbles, scores, rule);
    SEG_TRY(list_pieces(ctx, rows, 1, &list, &count));
    count = drop_supported(rows, rule, scores, SEG_ISLAND_SUPPORT, list, count);
    settle_islands(rows, list, count, changed);
    seg_label_rows_merge(rows);
    return SEG_OK;
}

/* Label, bounding box and area of one piece from its runs. */
static seg_island describe(const seg_label_rows *r, const piece_run *list, size_t count) {
    seg_island island = {.label = list[0].own, .around = list[0].winner, .left = r->width, .top = list[0].y};
    for (size_t i = 0; i < count; i++) {
        const seg_label_run *run = &r->run[list[i].number];
        island.left = run->from < island.left ? run->from : island.left;
        island.right = run->to > island.right ? run->to : island.right;
        island.bottom = list[i].y + 1; /* the list goes down the rows */
        island.pixels += (size_t)(run->to - run->from);
    }
    return island;
}

seg_status seg_islands_list(seg_context *ctx, const seg_pixel_scribbles *scribbles, const seg_island_scores *scores,
                            seg_label_rows *rows, seg_island_list *out) {
    SEG_FREED piece_run *list = NULL;
    uint8_t rule[256];
    size_t runs = 0;
    out->count = 0;
    memset(rule, SEG_ISLAND_IS_JUDGED, sizeof rule);
    find_islands(rows, scribbles, scores, rule);
    SEG_TRY(list_pieces(ctx, rows, 1, &list, &runs));
    runs = drop_supported(rows, rule, scores, out->support_below, list, runs);
    for (size_t first = 0, last; first < runs; first = last) {
        for (last = first; last < runs && list[last].root == list[first].root; last++)
            ;
        const seg_island island = describe(rows, list + first, last - first);
        if (island.pixels < out->least || island.around == island.label)
            continue;
        for (size_t i = first; out->covered && i < last; i++)
            for (int x = rows->run[list[i].number].from; x < rows->run[list[i].number].to; x++)
                out->covered[seg_patch_of_pixel(scores->grid, x, list[i].y)] = 1;
        if (out->count < out->room)
            out->found[out->count++] = island;
    }
    return SEG_OK;
}

typedef struct keeping {
    const seg_patch_grid *grid;
    const seg_matrix *score;
    const seg_pixel_scribbles *scribbles;
    const seg_pixel_scores *out;
    size_t k, pixels[256]; /* pixels of each column */
    uint8_t *best;         /* column of each patch */
    int32_t *piece;        /* per patch: the first patch of its piece, -1 if it has none yet */
    int32_t *queue;        /* patches */
} keeping;

static seg_status prepare(seg_context *ctx, keeping *s) {
    const seg_matrix *score = s->score;
    SEG_TRY(SEG_ALLOC_ARRAYS(ctx, SEG_ARRAY(s->best, score->rows), SEG_ARRAY(s->piece, score->rows),
                             SEG_ARRAY(s->queue, score->rows)));
    for (size_t i = 0; i < score->rows; i++) {
        s->best[i] = (uint8_t)seg_largest_of(s->k, score->at + i * s->k);
        s->piece[i] = -1;
    }
    return SEG_OK;
}

/* Label the connected patches of the same column as `first` with its index. @return their number */
static size_t find_piece(keeping *s, int32_t first) {
    int32_t near[SEG_TOUCHING];
    size_t count = 0;
    s->queue[count++] = first;
    s->piece[first] = first;
    for (size_t at = 0; at < count; at++)
        for (int c = seg_patches_touching(s->grid, (size_t)s->queue[at], near); c-- > 0;)
            if (s->piece[near[c]] < 0 && s->best[near[c]] == s->best[first]) {
                s->piece[near[c]] = first;
                s->queue[count++] = near[c];
            }
    return count;
}

/* Give a piece of patches its pixels of row y; label: the labels of the row. @return the number of pixels changed */
static size_t give_row(keeping *s, int32_t piece, int y, uint8_t *label) {
    const seg_patch_grid *grid = s->grid;
    size_t taken = 0;
    for (int x = 0; x < grid->width; x++) {
        const size_t p = (size_t)y * (size_t)grid->width + (size_t)x;
        const size_t patch = seg_patch_of_pixel(grid, x, y);
        float single[SEG_MAX_LABELS];
        if (s->piece[patch] != piece || s->pixels[label[x]] < 2 || is_marked(s->scribbles, y, x, x + 1, -1))
            continue;
        s->pixels[label[x]]--;
        label[x] = s->best[piece];
        s->pixels[label[x]]++;
        taken++;
        for (size_t c = 0; c < s->k; c++)
            single[c] = (float)s->score->at[patch * s->k + c];
        seg_pixel_scores_put(s->out, p, s->k, single);
    }
    return taken;
}

/* Whether row y of the image has patches of the piece. */
static int row_has(const keeping *s, int32_t piece, int y) {
    const size_t first = (size_t)seg_patch_row(s->grid, y) * (size_t)s->grid->columns;
    for (size_t i = first; i < first + (size_t)s->grid->columns; i++)
        if (s->piece[i] == piece)
            return 1;
    return 0;
}

/* Build the rows anew; those with patches of the piece are decoded into an array. */
static seg_status give_back(seg_context *ctx, keeping *s, int32_t piece, seg_label_rows *rows, size_t *taken) {
    SEG_RELEASED(seg_label_rows_free) seg_label_rows made = {.slice = rows->slice};
    *taken = 0;
    SEG_LOCAL(uint8_t, label, seg_alloc(ctx, (size_t)rows->width, 1));
    for (int y = 0; y < rows->height; y++) {
        const size_t first = rows->first[y], runs = rows->first[y + 1] - first;
        if (!row_has(s, piece, y)) {
            SEG_TRY(seg_label_rows_append_runs(ctx, rows->width, rows->run + first, runs, &made));
            continue;
        }
        seg_label_rows_read(rows, y, 0, rows->width, label);
        *taken += give_row(s, piece, y, label);
        SEG_TRY(seg_label_rows_append(ctx, rows->width, 1, label, &made));
    }
    SEG_SWAP(seg_label_rows, *rows, made);
    return SEG_OK;
}

seg_status seg_regions_keep(seg_context *ctx, const seg_patch_grid *grid, const seg_matrix *score,
                            const seg_pixel_scribbles *scribbles, const seg_pixel_scores *out, seg_label_rows *rows) {
    keeping s = {.grid = grid, .score = score, .scribbles = scribbles, .out = out, .k = score->cols};
    size_t largest[256] = {0};
    int32_t piece[256];
    int lost = 0;
    for (size_t i = 0; i < rows->first[rows->height]; i++)
        s.pixels[rows->run[i].label] += (size_t)(rows->run[i].to - rows->run[i].from);
    for (size_t c = 0; c < score->cols; c++)
        lost |= s.pixels[c] == 0;
    if (!lost)
        return SEG_OK;
    SEG_TRY(prepare(ctx, &s));
    SEG_UNUSED SEG_FREED void *block = s.best; /* of all of them */
    for (size_t i = 0; i < score->rows; i++) {
        if (s.piece[i] >= 0 || s.pixels[s.best[i]] > 0)
            continue;
        const size_t count = find_piece(&s, (int32_t)i);
        if (count > largest[s.best[i]]) {
            largest[s.best[i]] = count;
            piece[s.best[i]] = (int32_t)i;
        }
    }
    for (size_t c = 0; c < s.k; c++) {
        size_t taken = 0;
        if (largest[c] == 0)
            continue;
        SEG_TRY(give_back(ctx, &s, piece[c], rows, &taken));
        seg_log(ctx, SEG_LOG_INFO,
                "region %zu is too small for refinement: its %zu pixels are patches with straight borders", c + 1,
                taken);
    }
    return SEG_OK;
}
