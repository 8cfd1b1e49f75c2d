#include "paint/solver/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options that determine patches and features. */
typedef struct look {
    int patch, reduce;
    seg_feature_spec features;
} look;

struct paint_questions {
    look look;
    seg_patch_grid grid;
    seg_matrix features;
    int has_features;
    seg_constraints strokes; /* groups of patches from the strokes */
    int64_t marked;          /* the revision of these strokes; -1: none */
    int labels;              /* number of labels of the strokes */
    int k;                   /* number of regions given to the selector; 0: unknown */
    int drops;               /* 1: contradicting answers are dropped */
    seg_active *active;      /* the selector; NULL: must be made */
    paint_pairs told;        /* the answers that the selector has */
    size_t given;            /* how many of them it was made with; the others answer its questions */
};

void paint_questions_free(paint_questions *ask) {
    if (!ask)
        return;
    seg_active_free(ask->active);
    seg_constraints_free(&ask->strokes);
    seg_matrix_free(&ask->features);
    paint_pairs_free(&ask->told);
    free(ask);
}

int paint_questions_is_quick(const paint_questions *ask, int64_t marked) {
    return ask && ask->active && ask->marked == marked;
}

static void forget(paint_questions *ask) {
    seg_active_free(ask->active);
    ask->active = NULL;
    ask->told.count = ask->given = 0;
}

/* Compute patches and features if the options changed. */
static seg_status take_features(seg_context *ctx, paint_questions *ask, const seg_image *image,
                                const seg_options *options) {
    look now = {.patch = options->patch, .reduce = options->reduce};
    memcpy(&now.features, &options->features, sizeof now.features);
    if (ask->has_features && memcmp(&now, &ask->look, sizeof now) == 0)
        return SEG_OK;
    forget(ask);
    seg_matrix_free(&ask->features);
    ask->has_features = 0;
    ask->marked = -1;
    const seg_status status = seg_photo_features(ctx, image, options, &ask->grid, &ask->features);
    ask->look = now;
    ask->has_features = status == SEG_OK;
    return status;
}

/* Find the patches that the strokes mark, if they changed. */
static seg_status take_strokes(seg_context *ctx, paint_questions *ask, const paint_snapshot *of) {
    if (ask->marked == of->marked)
        return SEG_OK;
    seg_mask scribbles = of->scribbles;
    paint_labels_of(scribbles.label, (size_t)scribbles.width * (size_t)scribbles.height, &scribbles.labels);
    forget(ask);
    seg_constraints_free(&ask->strokes);
    ask->marked = -1;
    const seg_status status = seg_constraints_from_scribbles(ctx, &scribbles, &ask->grid, &ask->strokes);
    if (status != SEG_OK)
        return status;
    char found[SEG_MAX_LABELS] = {0};
    ask->labels = 0;
    for (size_t i = 0; i < ask->strokes.n; i++) {
        const int group = ask->strokes.group[i];
        if (group >= 0 && !found[group]) {
            found[group] = 1;
            ask->labels++;
        }
    }
    ask->marked = of->marked;
    return SEG_OK;
}

/* Copy the groups of the strokes, without pairs. */
static seg_status copy_strokes(seg_context *ctx, const paint_questions *ask, seg_constraints *out) {
    const seg_constraints *from = &ask->strokes;
    const seg_status status = seg_constraints_create(ctx, from->n, out);
    if (status != SEG_OK)
        return status;
    out->groups = from->groups;
    memcpy(out->group, from->group, from->n * sizeof *from->group);
    return SEG_OK;
}

/* Make a selector from the strokes and the first `given` answers. */
static seg_status begin(seg_context *ctx, paint_questions *ask, const paint_pairs *pairs, size_t given,
                        char message[SEG_MESSAGE_SIZE]) {
    const size_t n = ask->features.rows;
    const paint_pairs first = {pairs->at, given, 0};
    seg_constraints known = {0}, unknown = {0};
    seg_status status = copy_strokes(ctx, ask, &known);
    if (status == SEG_OK)
        status = seg_constraints_create(ctx, n, &unknown);
    if (status == SEG_OK)
        status = paint_pairs_constrain(ctx, &first, &ask->grid, &known, &unknown, message);
    if (status == SEG_OK && ask->drops)
        paint_least_regions(ctx, &known, SEG_CONTRADICTIONS_DROP);
    const seg_active_spec spec = {.strategy = SEG_ACTIVE_EXPLORE_CONSOLIDATE,
                                  .k = ask->k,
                                  .budget = SIZE_MAX,
                                  .n = n,
                                  .features = &ask->features,
                                  .known = &known,
                                  .unknown = &unknown};
    forget(ask);
    if (status == SEG_OK)
        status = seg_active_create(ctx, &spec, &ask->active);
    for (size_t p = 0; p < given && status == SEG_OK; p++)
        status = paint_pairs_add(&ask->told, &pairs->at[p], pairs->at[p].act) ? SEG_OK : SEG_ERR_MEMORY;
    ask->given = given;
    seg_constraints_free(&known);
    seg_constraints_free(&unknown);
    return status;
}

/* Get the next question: the pixels in the middle of the two patches. */
static seg_status pose(seg_context *ctx, paint_questions *ask, paint_question *out) {
    const seg_patch_grid *grid = &ask->grid;
    int32_t patch[2];
    const seg_status status = seg_active_next(ctx, ask->active, &patch[0], &patch[1], &out->is_open);
    for (int end = 0; end < 2 && status == SEG_OK && out->is_open; end++)
        paint_patch_middle(grid, patch[end], &out->x[end], &out->y[end]);
    out->side = grid->side;
    out->regions = seg_active_about(ask->active).neighbourhoods;
    return status;
}

/* Give the selector an answer, if it answers its current question; *taken is 1 then. */
static seg_status tell(seg_context *ctx, paint_questions *ask, const paint_pair *pair, int *taken) {
    paint_question asked = {0};
    seg_status status = pose(ctx, ask, &asked);
    const paint_pair wanted = {{asked.x[0], asked.x[1]}, {asked.y[0], asked.y[1]}, pair->sign, 1, 0};
    *taken = status == SEG_OK && asked.is_open && paint_pair_is(&wanted, pair) && pair->weight == 1;
    if (!*taken)
        return status;
    status = seg_active_answer(ctx, ask->active, (seg_answer)pair->sign);
    return status != SEG_OK || paint_pairs_add(&ask->told, pair, pair->act) ? status : SEG_ERR_MEMORY;
}

/* The number of leading answers that the selector already has. */
static size_t known_of(const paint_questions *ask, const paint_pairs *pairs) {
    size_t same = 0;
    while (same < ask->told.count && same < pairs->count && paint_pair_is(&ask->told.at[same], &pairs->at[same]))
        same++;
    return same;
}

/* Bring the selector up to date: undo answers that were undone, then give it the new ones. *all is 0 if some do not
 * answer its questions. */
static seg_status follow(seg_context *ctx, paint_questions *ask, const paint_pairs *pairs, int *all) {
    const size_t same = known_of(ask, pairs);
    seg_status status = SEG_OK;
    int good = same >= ask->given;
    while (good && ask->told.count > same && status == SEG_OK) {
        status = seg_active_undo(ctx, ask->active, &good);
        ask->told.count--;
    }
    for (size_t p = same; p < pairs->count && good && status == SEG_OK; p++)
        status = tell(ctx, ask, &pairs->at[p], &good);
    *all = good && status == SEG_OK;
    return status;
}

/* If all answers are to questions of a selector, the same questions follow, also after a restart of the program.
 * Otherwise the selector is made from all answers; it then knows the skipped pairs, but not the patches that it had set
 * aside. */
static seg_status catch_up(seg_context *ctx, paint_questions *ask, const paint_pairs *pairs,
                           char message[SEG_MESSAGE_SIZE]) {
    seg_status status = SEG_OK;
    int all = 0;
    if (ask->active)
        status = follow(ctx, ask, pairs, &all);
    if (status == SEG_OK && !all && (status = begin(ctx, ask, pairs, 0, message)) == SEG_OK)
        status = follow(ctx, ask, pairs, &all);
    if (status == SEG_OK && !all)
        status = begin(ctx, ask, pairs, pairs->count, message);
    return status;
}

seg_status paint_questions_next(seg_context *ctx, paint_questions **ask, const seg_image *image,
                                const paint_snapshot *of, paint_question *out) {
    paint_questions *a = *ask ? *ask : calloc(1, sizeof **ask);
    *out = (paint_question){.revision = -1};
    if (!a) {
        snprintf(out->message, sizeof out->message, "out of memory");
        return SEG_OK;
    }
    a->marked = *ask ? a->marked : -1;
    *ask = a;
    seg_status status = take_features(ctx, a, image, &of->options);
    if (status == SEG_OK)
        status = take_strokes(ctx, a, of);
    const int k = of->options.k ? of->options.k : a->labels >= 2 ? a->labels : 0;
    const int drops = of->options.contradictions == SEG_CONTRADICTIONS_DROP;
    if (status == SEG_OK && (k != a->k || drops != a->drops))
        forget(a);
    a->k = k;
    a->drops = drops;
    if (status == SEG_OK)
        status = catch_up(ctx, a, &of->pairs, out->message);
    if (status == SEG_OK)
        status = pose(ctx, a, out);
    if (status == SEG_OK)
        return SEG_OK;
    forget(a); /* the selector is unusable after a failure */
    if (status == SEG_ERR_CANCELLED)
        return status;
    out->is_open = 0;
    if (status == SEG_ERR_CONTRADICTION)
        snprintf(out->message, sizeof out->message,
                 "An answer contradicts a stroke or another answer: undo one, or delete it.");
    else if (!out->message[0])
        snprintf(out->message, sizeof out->message, "%s", seg_context_message(ctx));
    return SEG_OK;
}
