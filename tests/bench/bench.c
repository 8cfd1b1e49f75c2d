/* segment_bench: how fast and how good the program and the library are. Measures; the tests judge. */
#include "bench.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: segment_bench processes --segment BINARY [--count 20] [--runs 5] [--truth DIR] [--draw] DIR\n"
    "       segment_bench solvers [--runs 5] [--threads 1] [--small]\n"
    "       segment_bench accuracy --truth DIR [--default-only] [--least X] [--mean X] [--threads 0] DIR\n"
    "       segment_bench scale --segment BINARY [--runs 5] [--threads 0] [--small] [--figure STEM] PHOTO\n"
    "       segment_bench curves --figure STEM FILE.csv\n"
    "       segment_bench session [--runs 5] [--threads 0] [--small] PHOTO\n"
    "       segment_bench defaults [--count 20] [--threads 1] [--small] [--most-fall X] [DIR]\n"
    "       segment_bench usps --data FILE [--threads 2]\n"
    "       segment_bench vectors [--data FILE] [--runs 5] [--threads 1] [--small]\n"
    "       segment_bench wrong [--percent 5] [--together] [--every 1] [--most-fall X] [--truth DIR] [--scribbles DIR] "
    "DIR\n"
    "       segment_bench memory --segment BINARY --truth DIR [--small] DIR\n"
    "\n"
    "processes  times the whole program, one thread, method against method, over DIR/Images/NAME.bmp with\n"
    "           DIR/GroundTruth/NAME_GT.bmp (strokes are drawn from the truth), or over DIR/NAME.jpg with\n"
    "           DIR/NAME-scribbles.png (--draw: strokes from the truth in --truth DIR instead)\n"
    "solvers    times the numerical parts on generated problems (--small: tiny ones)\n"
    "accuracy   runs the methods over DIR/NAME.jpg, DIR/NAME-scribbles.png and scores them against the truths\n"
    "           NAME.png; exit 1 where the default method has less than --least or a mean below --mean\n"
    "scale      times the whole program over PHOTO (NAME.jpg with NAME-scribbles.png beside it) scaled to 0.3, 3, 12\n"
    "           and 48 megapixels (--small: to tiny ones); a table in CSV, and with --figure STEM.svg\n"
    "curves     draws what tests/bench/samples.sh measured: time and memory of methods against the samples\n"
    "session    times one more stroke on PHOTO scaled to 0.25 and 1 megapixel, stage by stage, and checks that the\n"
    "           bytes are those of a fresh run\n"
    "defaults   the default method against enpakl, pckmeans, ccsr and kmeans over the tables of DIR (class in the\n"
    "           last column), as they are and standardised, or over the artificial sets: clustering errors with 0 to\n"
    "           200 pairs, --count draws of each; exit 1 where its mean distance to the best is above --most-fall\n"
    "usps       a large table (USPS: 9298 x 256, 10 classes) from the file to the clusters, by CCSKL;\n"
    "           tests/bench/usps_sklearn.py runs it and scikit-learn by turns\n"
    "vectors    times CCSKL's and CCSR's programs, TRAGEK, PCP and ENPAKL's sub-kernel on a table (--data: of at\n"
    "           most 600 samples, the class in its last column; else one of 270 x 13, two classes, is made) with 50\n"
    "           must-links and 50 cannot-links a class, and PCKMeans on 20,000 x 5, says what is left of the\n"
    "           conditions on each solution, and follows SS-Kernel-KMeans' objectives over 1000 random problems each\n"
    "           (--small: fewer and smaller); 'met' or 'MISSED' where a figure is asked for (times: the\n"
    "           processor's), exit 1 where one that is not a time is missed\n"
    "wrong      moves a share of each label's seeds to other labels, here and there or --together, in every\n"
    "           image of a data set (a form that segment eval knows); exit 1 where the mean Dice of the\n"
    "           default method falls by more than --most-fall\n"
    "memory     runs the whole program on 20 images of 0.1 to 48 megapixels made from DIR/NAME.jpg with\n"
    "           DIR/NAME-scribbles.png and truths NAME.png, each under a generous, a middle and a tight --max-memory\n"
    "           (--small: four small ones); a table in CSV, 'met' or 'MISSED', exit 1 where one took more than its\n"
    "           limit or than was predicted\n";

enum { SEGMENT = 256, COUNT, RUNS, TRUTH, DRAW, THREADS, SMALL, DEFAULT_ONLY, LEAST, MEAN, DATA, FIGURE, PERCENT };
enum { TOGETHER = PERCENT + 1, EVERY, FALL, SCRIBBLES, HELP };

static const struct option long_options[] = {
    {"segment", required_argument, NULL, SEGMENT},
    {"count", required_argument, NULL, COUNT},
    {"runs", required_argument, NULL, RUNS},
    {"truth", required_argument, NULL, TRUTH},
    {"draw", no_argument, NULL, DRAW},
    {"threads", required_argument, NULL, THREADS},
    {"small", no_argument, NULL, SMALL},
    {"default-only", no_argument, NULL, DEFAULT_ONLY},
    {"least", required_argument, NULL, LEAST},
    {"mean", required_argument, NULL, MEAN},
    {"data", required_argument, NULL, DATA},
    {"figure", required_argument, NULL, FIGURE},
    {"percent", required_argument, NULL, PERCENT},
    {"together", no_argument, NULL, TOGETHER},
    {"every", required_argument, NULL, EVERY},
    {"most-fall", required_argument, NULL, FALL},
    {"scribbles", required_argument, NULL, SCRIBBLES},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

/* 1 where the text is a number of the range. */
static int number(const char *text, double low, double high, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == 0 && *out >= low && *out <= high;
}

/* 0, or 2 after a message. */
static int take(int option, const char *text, bench_options *out) {
    double value = 0;
    int good = 1;
    switch (option) {
    case SEGMENT:
        out->segment = text;
        break;
    case TRUTH:
        out->truth = text;
        break;
    case DATA:
        out->data = text;
        break;
    case FIGURE:
        out->figure = text;
        break;
    case SCRIBBLES:
        out->scribbles = text;
        break;
    case TOGETHER:
        out->together = 1;
        break;
    case EVERY:
        good = number(text, 1, 100000, &value);
        out->every = (int)value;
        break;
    case PERCENT:
        good = number(text, 0, 100, &out->percent);
        break;
    case FALL:
        good = number(text, 0, 1, &out->fall);
        break;
    case DRAW:
        out->draw = 1;
        break;
    case SMALL:
        out->small = 1;
        break;
    case DEFAULT_ONLY:
        out->default_only = 1;
        break;
    case COUNT:
        good = number(text, 1, 100000, &value);
        out->count = (int)value;
        break;
    case RUNS:
        good = number(text, 1, 1000, &value);
        out->runs = (int)value;
        break;
    case THREADS:
        good = number(text, 0, 1024, &value);
        out->threads = (int)value;
        break;
    case LEAST:
        good = number(text, 0, 1, &out->least);
        break;
    case MEAN:
        good = number(text, 0, 1, &out->mean);
        break;
    default:
        return 2; /* getopt has said what is wrong */
    }
    if (good)
        return 0;
    bench_fail("'%s' is out of the option's range", text);
    return 2;
}

int main(int argc, char **argv) {
    bench_options options = {.count = 20, .runs = 5, .threads = -1, .every = 1, .percent = 5};
    int option;
    while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (option == HELP) {
            fputs(usage, stdout);
            return 0;
        }
        if (take(option, optarg, &options))
            return 2;
    }
    const char *command = optind < argc ? argv[optind] : "";
    options.folder = optind + 1 < argc ? argv[optind + 1] : NULL;
    if (!strcmp(command, "processes") && options.segment && options.folder)
        return bench_processes(&options);
    if (!strcmp(command, "accuracy") && options.truth && options.folder)
        return bench_accuracy(&options);
    if (!strcmp(command, "scale") && options.segment && options.folder)
        return bench_scale(&options);
    if (!strcmp(command, "curves") && options.figure && options.folder)
        return bench_curves(&options);
    if (!strcmp(command, "memory") && options.segment && options.truth && options.folder)
        return bench_memory(&options);
    if (!strcmp(command, "session") && options.folder)
        return bench_session(&options);
    if (!strcmp(command, "wrong") && options.folder)
        return bench_wrong(&options);
    if (!strcmp(command, "usps") && options.data)
        return bench_usps(&options);
    if (!strcmp(command, "defaults"))
        return bench_defaults(&options);
    if (!strcmp(command, "vectors"))
        return bench_vectors(&options);
    if (!strcmp(command, "solvers"))
        return bench_solvers(&options);
    fputs(usage, stderr);
    return 2;
}
