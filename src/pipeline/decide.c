#include "pipeline/decide.h"
#include "masks/photo_passes.h"

static seg_decision yes(const char *why) {
    return (seg_decision){.on = 1, .why = why};
}

static seg_decision no(const char *why) {
    return (seg_decision){.on = 0, .why = why};
}

/* Stages learned for an object and its background, each marked, with the default method. Methods of papers follow their
 * papers, and several labels are mostly materials, whose regions have several pieces (docs/results.md, "Islands").
 * @return why this is not such a case, NULL if it is */
static const char *why_not_object(const seg_options *o, const seg_circumstances *c) {
    return o->model                             ? "a model is used"
           : c->method != seg_method_find(NULL) ? "not the default method"
           : !c->scribbles                      ? "no scribbles"
           : c->k != 2                          ? "not two regions"
                                                : NULL;
}

/* The marks that a start becomes say what these stages would look for. */
static const char *why_not_stage(const seg_options *o, const seg_circumstances *c) {
    return o->start ? "a mask is corrected" : why_not_object(o, c);
}

/* Complete graphs stay as in the papers. With listed pairs only, the kernels of the methods to choose from get worse by
 * it (docs/history/default-method.md). */
static seg_decision chromaticity(const seg_options *o, const seg_circumstances *c) {
    return o->model                                   ? no("the features are the model's")
           : o->graph.kind == SEG_GRAPH_FULL          ? no("a complete graph")
           : o->chromaticity == SEG_CHROMATICITY_ON   ? yes("asked for")
           : o->chromaticity != SEG_CHROMATICITY_AUTO ? no("asked for")
           : c->method != seg_method_find(NULL)       ? no("not the default method")
           : c->groups                                ? yes("the default method, strokes")
                                                      : no("no strokes");
}

/* The frame is evidence of an object's background. Of strokes of two labels nobody says which is the object, unless the
 * option does: both may mark parts that reach the frame. */
static seg_decision frame(const seg_options *o, const seg_circumstances *c) {
    const char *why = why_not_object(o, c);
    return why                      ? no(why)
           : c->pairs || !c->groups ? no("pairs")
           : c->labels == 1         ? yes("strokes of one label")
           : o->start && o->object  ? yes("a start of one object")
           : o->object              ? yes("asked for")
                                    : no("either label may be the object");
}

/* Learned from images; in volumes strokes of both labels make worse (docs/history/volumes.md). */
static seg_decision balance(const seg_options *o, const seg_circumstances *c) {
    const char *why = why_not_stage(o, c);
    return o->balance == SEG_BALANCE_OFF ? no("asked for")
           : why                         ? no(why)
           : c->pairs                    ? no("listed pairs")
           : c->labels == 1              ? yes("strokes of one label")
           : o->slices > 1               ? no("a volume")
                                         : yes("the default method, strokes of two labels");
}

static seg_decision extent(const seg_options *o, const seg_circumstances *c) {
    return c->labels == 1 ? no("strokes of one label") : balance(o, c);
}

/* Refinement may cut narrow connections; the blocks of patches stay unchanged unless an option requests it. */
static seg_decision specks(const seg_options *o, const seg_circumstances *c) {
    (void)c;
    return o->min_region                  ? yes("asked for")
           : o->refine != SEG_REFINE_NONE ? yes("refined borders")
                                          : no("no refinement");
}

/* The first strokes of an object are dots, which say nothing of how thin it is. */
static seg_decision thin(const seg_options *o, const seg_circumstances *c) {
    return o->thin == SEG_THIN_OFF                        ? no("asked for")
           : o->model                                     ? no("a model is used")
           : !c->scribbles || c->labels != 2 || c->k != 2 ? no("not strokes of two labels")
           : o->refine == SEG_REFINE_NONE                 ? no("no refinement")
           : c->seen > SEG_THIN_MOST_PIXELS               ? no("a large image")
           : o->slices > 1                                ? no("a volume")
           : o->thin == SEG_THIN_ON                       ? yes("asked for")
           : o->box.width || o->start                     ? no("marks that are not strokes")
           : o->object                                    ? no("an object")
           : c->method == seg_method_find(NULL)           ? yes("the default method, strokes of two labels")
                                                          : no("not the default method");
}

/* Tiles of a large image are not kept. */
static seg_decision padding(const seg_options *o, const seg_circumstances *c) {
    const char *why = why_not_stage(o, c);
    const size_t pixels = (size_t)c->width * (size_t)c->height;
    return o->islands.usual != SEG_ISLANDS_AUTO ? no("islands are not judged")
           : why                                ? no(why)
           : c->pairs                           ? no("listed pairs")
           : o->refine == SEG_REFINE_NONE       ? no("no refinement")
           : pixels > SEG_PADDING_MOST_PIXELS   ? no("a large image")
           : o->slices > 1                      ? no("a volume")
                                                : yes("the default method, two regions");
}

static seg_decision islands(const seg_options *o, const seg_circumstances *c) {
    const char *why = why_not_stage(o, c);
    return o->islands.usual != SEG_ISLANDS_AUTO ? no("asked for")
           : why                                ? no(why)
           : o->slices > 1 && c->labels != 1    ? no("a volume")
                                                : yes("the default method, two regions");
}

void seg_decide(const seg_options *options, const seg_circumstances *c, seg_decision *out) {
    static const struct {
        const char *name;
        seg_decision (*of)(const seg_options *o, const seg_circumstances *c);
    } decisions[SEG_DECISIONS] = {
        [SEG_DECIDED_CHROMATICITY] = {"chromaticity", chromaticity},
        [SEG_DECIDED_FRAME] = {"frame", frame},
        [SEG_DECIDED_BALANCE] = {"balance", balance},
        [SEG_DECIDED_EXTENT] = {"extent", extent},
        [SEG_DECIDED_SPECKS] = {"specks", specks},
        [SEG_DECIDED_THIN] = {"thin", thin},
        [SEG_DECIDED_PADDING] = {"padding", padding},
        [SEG_DECIDED_ISLANDS] = {"islands", islands},
    };
    for (int d = 0; d < SEG_DECISIONS; d++) {
        out[d] = decisions[d].of(options, c);
        out[d].name = decisions[d].name;
    }
}

seg_circumstances seg_circumstances_of_strokes(const seg_options *options, const seg_method *method) {
    return (seg_circumstances){.method = method,
                               .width = 1,
                               .height = 1,
                               .scribbles = 1,
                               .labels = options->k ? options->k : 2,
                               .k = options->k ? options->k : 2,
                               .groups = 1};
}
