/* Public calls with every allocation failed in turn: what a case is made of. A case builds its inputs, makes its calls
 * through CALL, DO or GET, and tells what came out; the driver (sweep.c) runs it with the n-th allocation failing, and
 * with all from the n-th on, for every n, and holds each outcome against that without a failure. */
#ifndef TESTS_SWEEP_SWEEP_H
#define TESTS_SWEEP_SWEEP_H

#include "allocations.h"

#include "base/context.h"
#include "scoped.h"

#include <segment/segment.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sweep_case {
    const char *name;
    seg_status (*run)(
        seg_context *ctx,
        const char *argument); /* what the first call that failed returned, its outputs checked and freed */
    const char *argument;
    int threads;
} sweep_case;

/* CASE(name, argument) { ... } defines the function of a case. */
#define CASE(name, argument) static seg_status name(seg_context *ctx, __attribute__((unused)) const char *argument)

/* One program, a table a file. */
typedef struct sweep_topic {
    const char *name;
    const sweep_case *cases;
    size_t count;
} sweep_topic;

extern const sweep_topic sweep_image, sweep_writing, sweep_vectors, sweep_constraints, sweep_active, sweep_graph,
    sweep_methods, sweep_kernels, sweep_photo, sweep_model, sweep_plain, sweep_evaluation;

#define TOPIC(variable, text) const sweep_topic variable = {text, cases, sizeof cases / sizeof *cases}

void sweep_begin(const char *function);
void sweep_begin_inside(const char *function); /* of one that stands in no public header */
seg_status sweep_end(seg_status status);

/* A call that returns a status; one that returns nothing; one that returns a value. */
#define CALL(function, ...)        (sweep_begin(#function), sweep_end(function(__VA_ARGS__)))
#define DO(function, ...)          (sweep_begin(#function), function(__VA_ARGS__), (void)sweep_end(SEG_OK))
#define CALL_INSIDE(function, ...) (sweep_begin_inside(#function), sweep_end(function(__VA_ARGS__)))
#define GET(function, ...)                                                                                             \
    __extension__({                                                                                                    \
        sweep_begin(#function);                                                                                        \
        __typeof__(function(__VA_ARGS__)) got_value = function(__VA_ARGS__);                                           \
        (void)sweep_end(SEG_OK);                                                                                       \
        got_value;                                                                                                     \
    })

/* The case went on after a failure, so that all it tells is to be compared in spite of its status. */
void sweep_whole_anyway(int failed);
/* Something is not as promised; the driver says where. */
void sweep_fault(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* An output after a failure: all its bytes are 0. */
void sweep_zeroed(const char *what, const void *bytes, size_t size);
#define ZEROED(out) sweep_zeroed(#out, &(out), sizeof(out))
/* An output before the call: no byte of it is 0. */
#define DIRTY(type) (*(type *)memset(&(type){0}, 1, sizeof(type)))
/* An output of a call: told by the function, or zeroed. */
#define TOLD_OR_ZEROED(status, tell, out) ((status) == SEG_OK ? tell(&(out)) : ZEROED(out))
/* The status of a call whose output is told by the function, or zeroed. */
#define TELL(call, tell, out)                                                                                          \
    __extension__({                                                                                                    \
        const seg_status tell_status = (call);                                                                         \
        TOLD_OR_ZEROED(tell_status, tell, out);                                                                        \
        tell_status;                                                                                                   \
    })

/* What came out, to be compared with what comes out without a failure. */
void told(const void *bytes, size_t size);
void told_number(double number);
void told_text(const char *text);
void told_matrix(const seg_matrix *matrix);
void told_graph(const seg_csr *graph);
void told_constraints(const seg_constraints *constraints);
void told_image(const seg_image *image);
void told_mask(const seg_mask *mask);

/* The path of a file in the work folder; good until the eighth call after. */
const char *in_folder(const char *name);
void make_file(const char *name, const void *bytes, size_t size);
void make_text(const char *name, const char *text);
/* An output file that holds an older text: whole and new after a call that returned SEG_OK, untouched after another. */
void old_output(const char *name);
seg_status check_output(const char *name, seg_status status);
/* The status of a call that writes over such a file. */
#define OVERWRITE(name, call) (old_output(name), check_output((name), (call)))

/* A set-up call, outside the sweep: must succeed. */
void must(seg_context *ctx, seg_status status);
/* The context of the set-up calls, with its defaults. */
extern seg_context own;

/* ---- inputs that several topics use ---- */

/* n rows in `clusters` blobs of two columns. */
seg_matrix blobs(size_t n, int clusters);
/* The first rows of each blob in a group each, and a few pairs. */
seg_constraints groups_of(size_t n, int clusters, size_t marked);
/* An image in two halves with texture, and strokes on it, which may be NULL. */
seg_image halves(int width, int height, seg_mask *scribbles);
/* The strokes alone. */
seg_mask half_strokes(int width, int height);

#endif
