/* Everything that options leave open (`auto`), decided once for a run. */
#pragma once

#include "pipeline/option_fields.h"

/* What the decisions depend on besides the options. */
typedef struct seg_circumstances {
    const seg_method *method;
    int width, height;
    int scribbles; /* 1: there are some */
    int labels;    /* that have strokes */
    int k;         /* regions */
    int groups;    /* 1: the constraints that the method sees are groups, not listed pairs alone */
    int pairs;     /* 1: there are listed pairs */
    size_t seen;   /* pixels of the image that is looked at: of the copy that features are made from, if there is one */
} seg_circumstances;

/* What a session can assume of strokes that are not there yet. */
seg_circumstances seg_circumstances_of_strokes(const seg_options *options, const seg_method *method);

/* Decide all of seg_decision_kind; out: SEG_DECISIONS of them. Nothing else in the library asks what an `auto` is. */
void seg_decide(const seg_options *options, const seg_circumstances *c, seg_decision *out);
