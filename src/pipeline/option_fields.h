/* A segmentation's options as a struct: of library, programs and tests. Others know their names (segment/photo.h). */
#pragma once

#include "features/channels.h"

#include <segment/session.h>

/* How patch labels become pixel labels. */
typedef enum seg_refine {
    SEG_REFINE_NONE = 0, /* every pixel takes its patch's label: blocks */
    SEG_REFINE_FAST      /* edge-aware smoothing of the patch scores at pixel resolution, near borders */
} seg_refine;

/* What becomes of islands: connected pieces of a region that no stroke of its label touches, and of which no listed
 * pair names a patch. Regions without strokes keep theirs. */
typedef enum seg_islands {
    SEG_ISLANDS_AUTO = 0, /* of the default method with scribbles of two labels, an object and its background: those
                             whose scores do not stand out from what surrounds them join it; else all are kept */
    SEG_ISLANDS_KEEP,     /* all are kept */
    SEG_ISLANDS_REMOVE    /* all join the region that most of their border touches */
} seg_islands;

/* The islands of some labels go, those of the others are as `usual` says. */
typedef struct seg_islands_rule {
    seg_islands usual;
    uint8_t remove[32]; /* a bit for each label, that of label l being 1 << l % 8 of byte l / 8 */
} seg_islands_rule;

/* What becomes of strokes wider than the thin structures they mark: vessels, wires, cracks. */
typedef enum seg_thin {
    SEG_THIN_AUTO = 0, /* of the default method with scribbles of two labels, where the strokes themselves show it:
                          the structure is found pixel by pixel, and stroke pixels beside it get the other label */
    SEG_THIN_OFF,      /* never */
    SEG_THIN_ON        /* of two labels always, by the label and polarity that the strokes show best */
} seg_thin;

/* How much the scores of two labels count against each other. */
typedef enum seg_balance {
    SEG_BALANCE_AUTO = 0, /* of the default method with scribbles of two labels: as far as the border that it makes
                             and the shares that the strokes cover speak for, and less for the object far beyond where
                             its background has strokes, and a net predicts it while strokes are few; else as
                             they are */
    SEG_BALANCE_OFF       /* as they are */
} seg_balance;

/* Two more columns of the patches, of which light and shade are taken out: a / (L + 16) and b / (L + 16) of the mean
 *  colour, with its weight [cie15]. None where the mean is off, the image grey, or the features a model's. */
typedef enum seg_chromaticity {
    SEG_CHROMATICITY_AUTO = 0, /* for the default method with strokes, not for listed pairs alone */
    SEG_CHROMATICITY_OFF,      /* never */
    SEG_CHROMATICITY_ON        /* for every method */
} seg_chromaticity;

/* A rectangle of pixels around an object. */
typedef struct seg_box {
    int x, y;          /* of its left and upper side */
    int width, height; /* width 0: no box, or no region */
} seg_box;
static inline int seg_box_is_in(const seg_box *b, const seg_box *of) {
    return b->x >= of->x && b->y >= of->y && b->width <= of->x + of->width - b->x &&
           b->height <= of->y + of->height - b->y;
}

/* Everything that determines the result besides the image, the scribbles, the listed pairs and the context's seed. */
struct seg_options {
    int k;              /* regions, 0 = the number of labels marked */
    const char *method; /* NULL = the default method; name of the registry, without a variant */
    seg_params params;  /* of the method; used where params_set is 1 */
    int params_set;     /* 1: params holds; 0: the method's defaults */
    int patch; /* side of a patch in pixels, 1..64; 0, the default: as seg_patch_layout says, and smaller where the
                  strokes need it */
    seg_feature_spec features; /* what the clustering and the graph see */
    seg_graph_spec graph;      /* SEG_GRAPH_FULL is of the features where they have up to three columns, else
                                  of the patches' mean colours in CIELAB [chen2011npkl, Eq. 15] */
    int sample_pairs; /* 0 = all pairs of the scribbles; else that many sampled must- and cannot-links per label */
    seg_contradictions contradictions; /* what to do about them */
    int restarts;                      /* of k-means, or of ncut's discretisation, >= 1 */
    seg_refine refine;                 /* from patches to pixels */
    int reduce; /* features are computed on a copy of the image so many times smaller, 1..64, a divisor of
                   `patch`, which is then given too; 0, the default: as `patch` says */
    seg_islands_rule islands;
    int free_patches; /* of plan.c; 1: no pair names a patch, and the method is auto: layout.c may make smaller ones */
    int fixed; /* 1: a limit on memory (seg_call_settings.max_memory) changes nothing that makes the result: what does
                  not fit is refused */
    int probability; /* 1: fill this array of the result */
    int uncertainty; /* 1: fill this array of the result */
    int object;     /* not 0: the scribbles are of an object, the smaller label, and perhaps of its background: with few
                       strokes the frame of the image is evidence of the background, and the islands of the object
                       go, whatever `islands` says; refused for more labels. Strokes of one label alone always are
                       those of an object, unless k is 1 */
    seg_box box;    /* strokes may be missing: outside of it all is background, inside an object nearly fills it, as
                       with the option object. It is label 1 and the background 2, unless strokes have other labels: then
                       the smaller is the object's. Refused for more than two labels */
    seg_box region; /* width 0: all. The rest of the image is not seen, and 0 in the result */
    seg_method_variant variant; /* of the method; the parameters say what it does, this is for reports */
    int min_region; /* pieces of a region of fewer pixels, which hold no mark, join the region around them, 0 .. 2^28;
                       0, the default: 4 patches, with refine none: of any size stay */
    /* A model of a series (segment/model.h), or NULL. It determines the features, `patch` and `reduce`, and the
     *  regions: its labels and those of the scribbles, which may be missing. Borrowed. */
    const struct seg_model *model;
    const seg_mask *start; /* a mask that strokes correct, or NULL; borrowed */
    int slices;            /* of a volume, one below the other in the image, a divisor of its height; 1: an image */
    double spacing;        /* from slice to slice, in pixels */
    int video;             /* 1: slices are frames, and what is beside follows the motion */
    int channels;          /* grey images one below the other in the image, each a channel of it; 1: an image */
    int no_unknown;        /* with a model: 1: every pixel gets a label; 0: pixels that no label fits are SEG_VOID */
    seg_thin thin;         /* for strokes wider than what they mark, with refine fast */
    seg_chromaticity chromaticity; /* columns that shade does not change, beside `features` */
    seg_balance balance;           /* of two labels' scores */
};

/* Every field at its default. */
seg_options seg_options_default(void);
/* SEG_ERR_USAGE: the message names the field and its legal range, or what `model` refuses. */
seg_status seg_options_check(seg_context *ctx, const seg_options *options);

/* steady.c: a copy of what the session remembers of its last mask, to be freed by seg_last_mask_drop; NULL: no memory.
 * Or replace it: NULL for nothing. */
typedef struct seg_last_mask seg_last_mask;
seg_last_mask *seg_session_recall(seg_context *ctx, const seg_session *session);
seg_status seg_session_remind(seg_context *ctx, seg_session *session, const seg_last_mask *mask);
void seg_last_mask_drop(seg_last_mask *mask);
