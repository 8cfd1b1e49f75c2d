/* The table of options: a row an option, in the order of records and reports. */
#include "base/base.h"
#include "features/spec.h"
#include "pipeline/option_fields.h"

#include <segment/options.h>

#define AT(member) offsetof(seg_options, member)

/* The group of a row, and what it is besides: another value of any of these options gives another result. */
#define OF(GROUP, TRAITS) SEG_OPTION_KIND(GROUP, SEG_OPTION_MAKES_RESULT | (TRAITS))

/* Defaults by measurement over whole data sets: docs/results.md. Choices are in the order of their type. */
static const seg_option table[] = {
    {OF(INPUT, SEG_OPTION_IMPORTANT | SEG_OPTION_UNSET_BELOW), SEG_OPTION_ROW("regions", 'k', INT, AT(k)),
     SEG_OPTION_RANGE(1, SEG_MAX_LABELS),
     SEG_OPTION_SAID("K", NULL, NULL, "Number of regions; default: the number of labels in the scribbles")},
    {OF(HOW, SEG_OPTION_IMPORTANT), SEG_OPTION_ROW("method", 0, METHOD, AT(method)),
     SEG_OPTION_SAID(
         "M", NULL, NULL,
         "Method; 'segment methods' lists them; M:paper: as its paper prints it; default: auto with scribbles or "
         "constraints, ncut without")},
    {OF(HOW, 0), SEG_OPTION_ROW("param", 0, PARAM, 0),
     SEG_OPTION_SAID("NAME=VALUE", NULL, NULL,
                     "Parameter of the method, or of the default method without --method; may be given several times"),
     SEG_OPTION_NEEDS("method")},
    {OF(HOW, 0), SEG_OPTION_ROW("patch", 0, INT, AT(patch)), SEG_OPTION_RANGE(0, 64),
     SEG_OPTION_SAID(
         "N", "0", "pixels",
         "Side of a patch, 1 to 64 pixels; 0: 5 pixels, larger above 0.6 megapixels; 3 or 4 with strokes in images "
         "below 0.25 megapixels (method auto); 3 with --object")},
    {OF(HOW, 0), SEG_OPTION_ROW("features", 0, FEATURES, AT(features)), SEG_OPTION_CHOICES(seg_feature_names, 0),
     SEG_OPTION_SAID("SPEC", "mean=1,spread=0.6,position=0.5,texture=0.1", NULL,
                     "Features and their weights, as in mean,spread=0.5; the features are mean, spread, position "
                     "(not of volumes), histogram, lab-histogram and texture")},
    {OF(HOW, 0), SEG_OPTION_ROW("chromaticity", 0, CHOICE, AT(chromaticity)),
     SEG_OPTION_CHOICES(SEG_WORDS("auto", "off", "on"), SEG_CHROMATICITY_AUTO),
     SEG_OPTION_SAID("WHEN", "auto", NULL,
                     "Add two chromaticity columns, which do not depend on light and shade: on, off, or auto (on for "
                     "the method auto with strokes)")},
    {OF(HOW, 0), SEG_OPTION_ROW("graph", 0, CHOICE, AT(graph.kind)),
     SEG_OPTION_CHOICES(SEG_WORDS("knn", "grid", "both", "full"), SEG_GRAPH_KNN),
     SEG_OPTION_SAID("KIND", "both", NULL,
                     "Edges between patches: knn, grid, both, or full (every pair, by mean colour)")},
    {OF(HOW, 0), SEG_OPTION_ROW("knn", 0, INT, AT(graph.neighbours)), SEG_OPTION_RANGE(1, 1000),
     SEG_OPTION_SAID("N", "12", NULL, "Nearest neighbours of each node of the graph")},
    {OF(HOW, 0), SEG_OPTION_ROW("neighbours", 0, CHOICE, AT(graph.search)),
     SEG_OPTION_CHOICES(SEG_WORDS("auto", "exact", "approximate"), SEG_SEARCH_AUTO),
     SEG_OPTION_SAID("HOW", "exact", NULL,
                     "Search for nearest neighbours: exact, approximate (much faster from 100,000 nodes on), or auto "
                     "(exact up to 20,000 nodes)")},
    {OF(HOW, 0), SEG_OPTION_ROW("sigma", 0, REAL, AT(graph.sigma)), SEG_OPTION_RANGE(0, INFINITY),
     SEG_OPTION_SAID("S", "0", NULL, "Width of the Gaussian edge weights; 0: estimated from the data")},
    {OF(HOW, 0), SEG_OPTION_ROW("pairs", 0, INT, AT(sample_pairs)), SEG_OPTION_RANGE(0, 1000000),
     SEG_OPTION_SAID("N", "0", NULL, "Sample N must-links and N cannot-links per label; 0: use all pairs")},
    {OF(HOW, 0), SEG_OPTION_ROW("contradictions", 0, CHOICE, AT(contradictions)),
     SEG_OPTION_CHOICES(SEG_WORDS("refuse", "drop"), 0),
     SEG_OPTION_SAID("WHAT", "refuse", NULL, "Contradictory constraints: refuse them, or drop the later ones")},
    {OF(HOW, 0), SEG_OPTION_ROW("restarts", 0, INT, AT(restarts)), SEG_OPTION_RANGE(1, 100000),
     SEG_OPTION_SAID("N", "5", NULL, "Restarts of k-means, or of the discretisation of the method ncut")},
    {OF(HOW, SEG_OPTION_IMPORTANT), SEG_OPTION_ROW("refine", 0, CHOICE, AT(refine)),
     SEG_OPTION_CHOICES(SEG_WORDS("none", "fast"), 0),
     SEG_OPTION_SAID("HOW", "fast", NULL,
                     "Borders between regions at pixel resolution: none (borders of patches) or fast")},
    {OF(HOW, 0), SEG_OPTION_ROW("reduce", 0, INT, AT(reduce)), SEG_OPTION_RANGE(0, 64),
     SEG_OPTION_SAID("N", "0", NULL,
                     "Compute features on a copy of the image N times smaller; N divides the side of a patch; 0: set "
                     "by the patch side"),
     SEG_OPTION_NEEDS("patch")},
    {OF(HOW, 0), SEG_OPTION_ROW("min-region", 0, INT, AT(min_region)), SEG_OPTION_RANGE(0, SEG_MAX_PIXELS),
     SEG_OPTION_SAID(
         "N", "0", "pixels",
         "Unmarked pieces of fewer pixels join the region around them; 0: fewer pixels than 4 patches have")},
    {OF(HOW, 0), SEG_OPTION_ROW("balance", 0, CHOICE, AT(balance)),
     SEG_OPTION_CHOICES(SEG_WORDS("auto", "off"), SEG_BALANCE_AUTO),
     SEG_OPTION_SAID(
         "WHEN", "auto", NULL,
         "Two labels, an object and its background: auto shifts their scores so that the border lies on edges, "
         "lowers the object far beyond the background's strokes, and predicts it from few strokes (method auto)")},
    {OF(HOW, 0), SEG_OPTION_ROW("islands", 0, ISLANDS, AT(islands)),
     SEG_OPTION_CHOICES(SEG_WORDS("auto", "keep", "remove"), SEG_ISLANDS_AUTO),
     SEG_OPTION_SAID("WHAT", "auto", NULL,
                     "Pieces that no stroke of their label touches: keep, remove, remove:1,3 (of these labels), or "
                     "auto (by their scores; method auto, two labels)")},
    {OF(HOW, 0), SEG_OPTION_ROW("thin", 0, CHOICE, AT(thin)),
     SEG_OPTION_CHOICES(SEG_WORDS("auto", "off", "on"), SEG_THIN_AUTO),
     SEG_OPTION_SAID(
         "WHEN", "auto", NULL,
         "Strokes wider than the vessels, wires or cracks they mark: find the structure per pixel; stroke pixels "
         "beside it get the other label (two labels): on, off, or auto (if the strokes show it; method auto)")},
    {OF(HOW, SEG_OPTION_IMPORTANT), SEG_OPTION_ROW("object", 0, FLAG, AT(object)),
     SEG_OPTION_SAID(NULL, NULL, NULL,
                     "The smaller label is an object, the frame mostly background; its pieces without a stroke go")},
    {OF(INPUT, SEG_OPTION_IMPORTANT), SEG_OPTION_ROW("box", 0, BOX, AT(box)),
     SEG_OPTION_SAID("X,Y,W,H", NULL, "pixels",
                     "An object nearly fills this box (left, top, width, height), and what lies outside is background; "
                     "scribbles may be missing")},
    {OF(INPUT, 0), SEG_OPTION_ROW("region", 0, BOX, AT(region)),
     SEG_OPTION_SAID("X,Y,W,H", NULL, "pixels",
                     "Only this part of the image (left, top, width, height) is segmented; the rest is 0 in the mask")},
    {OF(INPUT, 0), SEG_OPTION_ROW("slices", 0, INT, AT(slices)), SEG_OPTION_RANGE(1, SEG_MAX_STACK),
     SEG_OPTION_SAID("N", "1", NULL,
                     "The image is a volume: N slices of equal height, one below the other; TIFF files of image and "
                     "scribbles with as many pages are read as one")},
    {OF(INPUT, 0), SEG_OPTION_ROW("spacing", 0, REAL, AT(spacing)), SEG_OPTION_RANGE(0.01, 100),
     SEG_OPTION_SAID("D", "1", "pixels", "Distance from slice to slice of a volume, in pixels of a slice")},
    {OF(INPUT, 0), SEG_OPTION_ROW("video", 0, FLAG, AT(video)),
     SEG_OPTION_SAID(NULL, NULL, NULL, "The slices of a volume are frames of a video, and regions follow the motion")},
    {OF(INPUT, 0), SEG_OPTION_ROW("channels", 0, INT, AT(channels)), SEG_OPTION_RANGE(1, SEG_MAX_CHANNELS),
     SEG_OPTION_SAID(
         "N", "1", NULL,
         "The image has N channels, grey images of equal size one below the other; N pages of a TIFF file are "
         "read as such")},
    {OF(HOW, 0), SEG_OPTION_ROW("no-unknown", 0, FLAG, AT(no_unknown)),
     SEG_OPTION_SAID(NULL, NULL, NULL,
                     "With a model: label every pixel, also where the image resembles nothing marked")},
};

enum { COUNT = sizeof table / sizeof *table };

const seg_option *seg_option_at(int i) {
    return i >= 0 && i < COUNT ? &table[i] : NULL;
}

const seg_option *seg_option_find(const char *name) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(table[i].name, name) == 0 || (table[i].letter == name[0] && name[0] && !name[1]))
            return &table[i];
    return NULL;
}
