/* Tables, labels, names, edges and kernels from files, and numbers into files. */
#include "sweep.h"

#include <math.h>
#include <unistd.h>
#include <zlib.h>

static const char table[] = "x,y,class\n1,2,a\n3,4.5,b\n5e0,6,a\n-7,8,\"b\"\n";

static void make_gzip(const char *name, const char *text) {
    gzFile to = gzopen(in_folder(name), "wb");
    gzwrite(to, text, (unsigned)strlen(text));
    gzclose(to);
}

/* An NPY of float32 in Fortran order. */
static void make_npy(const char *name) {
    static const char header[] = "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 2), }";
    static const float values[6] = {1, 2, 3, 4, 5, 6};
    unsigned char bytes[128 + sizeof values] = "\x93NUMPY\x01\x00\x76\x00";
    memset(bytes + 10, ' ', 118);
    memcpy(bytes + 10, header, sizeof header - 1);
    bytes[127] = '\n';
    memcpy(bytes + 128, values, sizeof values);
    make_file(name, bytes, sizeof bytes);
}

/* An NPY of float32 that is large enough to stay so: 20,000 rows of two. */
static void make_large_npy(const char *name) {
    enum { ROWS = 20000 };
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (20000, 2), }";
    static unsigned char bytes[128 + 2 * ROWS * sizeof(float)] = "\x93NUMPY\x01\x00\x76\x00";
    memset(bytes + 10, ' ', 118);
    memcpy(bytes + 10, header, sizeof header - 1);
    bytes[127] = '\n';
    for (int e = 0; e < 2 * ROWS; e++) {
        const float value = (float)(e % 100) + (e % 200 < 100 ? 0.0F : 1000.0F);
        memcpy(bytes + 128 + (size_t)e * sizeof value, &value, sizeof value);
    }
    make_file(name, bytes, sizeof bytes);
}

static void make_input(const char *name) {
    if (access(in_folder(name), F_OK) == 0)
        return;
    if (strcmp(name, "table.npy") == 0)
        return make_npy(name);
    if (strcmp(name, "large.npy") == 0)
        return make_large_npy(name);
    if (strcmp(name, "table.gz") == 0)
        return make_gzip(name, table);
    if (strcmp(name, "edges.txt") == 0)
        return make_text(name, "# edges\n1 2 0.5\n2 3\n3 3 1\n4 1 2\n2 1 0.5\n");
    if (strcmp(name, "kernel.csv") == 0)
        return make_text(name, "2,1,0\n1,2,1\n0,1,2\n");
    if (strcmp(name, "labels.txt") == 0)
        return make_text(name, "ten\ntwo\nten\none\n");
    if (strcmp(name, "labels.gz") == 0)
        return make_gzip(name, "sample,label\n0,3\n1,1\n2,3\n3,1.0\n");
    if (strcmp(name, "long.csv") == 0) { /* blocks grow */
        FILE *to = fopen(in_folder(name), "w");
        for (int i = 0; i < 4000; i++)
            fprintf(to, "%d,%d,c%d\n", i, i * i, i % 7);
        fclose(to);
        return;
    }
    make_text(name, table);
}

static void told_labels(const seg_labels *labels) {
    told(labels->label, labels->n * sizeof *labels->label);
    for (int i = 0; i < labels->classes; i++)
        told_text(labels->name[i]);
}

CASE(read_vectors, name) {
    const int npy = strstr(name, "npy") != NULL;
    make_input(name);
    seg_matrix X = DIRTY(seg_matrix);
    seg_labels labels = DIRTY(seg_labels);
    const seg_status status =
        CALL(seg_vectors_read, ctx, in_folder(name), npy ? SEG_LABELS_NONE : SEG_LABELS_LAST, &X, npy ? NULL : &labels);
    if (status == SEG_OK) {
        told_matrix(&X);
        if (!npy)
            told_labels(&labels);
    } else {
        ZEROED(X);
        if (!npy)
            ZEROED(labels);
    }
    DO(seg_matrix_free, &X);
    if (!npy)
        DO(seg_labels_free, &labels);
    return status;
}

/* What stays float32, or becomes doubles. */
CASE(read_floats, name) {
    make_input(name);
    seg_matrix X = DIRTY(seg_matrix);
    const seg_status status = CALL(seg_vectors_read, ctx, in_folder(name), SEG_LABELS_NONE_STORED, &X, NULL);
    if (status == SEG_OK && X.single)
        told(X.single, X.rows * X.cols * sizeof *X.single);
    else
        TOLD_OR_ZEROED(status, told_matrix, X);
    DO(seg_matrix_free, &X);
    return status;
}

/* A method on rows that stay float32. */
CASE(cluster_floats, name) {
    SCOPED(seg_matrix) X;
    SCOPED(seg_constraints) c;
    make_input("large.npy");
    must(&own, seg_vectors_read(&own, in_folder("large.npy"), SEG_LABELS_NONE_STORED, &X, NULL));
    X.rows = 600; /* the others are not needed */
    must(&own, seg_constraints_create(&own, X.rows, &c));
    must(&own, seg_constraints_add(&own, &c, (seg_pair){0, 7, 1, 1}));
    must(&own, seg_constraints_add(&own, &c, (seg_pair){3, 300, -1, 1}));
    SCOPED(seg_clustering) out = DIRTY(seg_clustering);
    const seg_problem problem = {.n = X.rows, .k = 3, .features = &X, .constraints = &c, .restarts = 2};
    const seg_status status = CALL(seg_cluster, ctx, seg_method_find(name), NULL, &problem, &out);
    if (status == SEG_OK) {
        told(out.label, out.n * sizeof *out.label);
        told_matrix(&out.score);
        told_number(out.objective);
    } else {
        ZEROED(out);
    }
    return status;
}

CASE(read_names, name) {
    SCOPED(seg_matrix) X;
    make_input(name);
    seg_labels labels = DIRTY(seg_labels);
    const seg_status status = CALL(seg_vectors_read, ctx, in_folder(name), SEG_LABELS_LAST, &X, &labels);
    if (status == SEG_OK)
        for (size_t i = 0; labels.column && i < X.cols; i++)
            told_text(labels.column[i]);
    else
        ZEROED(labels);
    seg_matrix_free(&X);
    DO(seg_labels_free, &labels);
    return status;
}

CASE(read_labels, name) {
    make_input(name);
    SCOPED(seg_labels) labels = DIRTY(seg_labels);
    return TELL(CALL(seg_labels_read, ctx, in_folder(name), 4, &labels), told_labels, labels);
}

CASE(read_edges, name) {
    make_input(name);
    seg_csr W = DIRTY(seg_csr);
    const seg_status status =
        TELL(CALL(seg_edges_read, ctx, in_folder(name), &(int){SEG_BASE_DETECT}, 0, &W), told_graph, W);
    DO(seg_csr_free, &W);
    return status;
}

/* Nodes counted from 1, as found; after a failure as it was asked for. */
CASE(read_edges_base, name) {
    int base = SEG_BASE_DETECT;
    make_input(name);
    SCOPED(seg_csr) W = DIRTY(seg_csr);
    const seg_status status = TELL(CALL(seg_edges_read, ctx, in_folder(name), &base, 0, &W), told_graph, W);
    if (base != (status == SEG_OK ? 1 : SEG_BASE_DETECT))
        sweep_fault("base is %d", base);
    return status;
}

CASE(read_kernel, name) {
    make_input(name);
    SCOPED(seg_matrix) K = DIRTY(seg_matrix);
    return TELL(CALL(seg_kernel_read, ctx, in_folder(name), &K), told_matrix, K);
}

CASE(write_labels, name) {
    static int32_t label[1000];
    for (int i = 0; i < 1000; i++)
        label[i] = i % 13;
    return OVERWRITE(name, CALL(seg_labels_write, ctx, in_folder(name), label, 1000));
}

CASE(write_floats, name) {
    static const float at[24] = {1, 2, 3};
    const size_t shape[3] = {2, 3, 4};
    return OVERWRITE(name, CALL(seg_npy_write_floats, ctx, in_folder(name), 3, shape, at));
}

CASE(write_any, name) {
    SCOPED(seg_matrix) X = blobs(12, 3);
    return OVERWRITE(name, strstr(name, "kernel") ? CALL(seg_matrix_write, ctx, in_folder(name), &X, 1)
                                                  : CALL(seg_matrix_write, ctx, in_folder(name), &X, 0));
}

CASE(write_pairs, name) {
    SCOPED(seg_constraints) c;
    must(ctx, seg_constraints_create(ctx, 9, &c));
    must(ctx, seg_constraints_add(ctx, &c, (seg_pair){0, 8, 1, 1}));
    must(ctx, seg_constraints_add(ctx, &c, (seg_pair){3, 4, -1, 0.25}));
    return OVERWRITE(name, CALL(seg_constraints_write, ctx, in_folder(name), 1, &c));
}

CASE(standardise, unused) {
    SCOPED(seg_matrix) X = blobs(30, 3);
    const seg_status status = CALL(seg_scale, ctx, SEG_SCALING_STANDARDISED, &X);
    if (status == SEG_OK)
        told_matrix(&X);
    return status;
}

CASE(weigh, unused) {
    SCOPED(seg_matrix) X = blobs(30, 3);
    for (size_t e = 0; e < X.rows * X.cols; e++)
        X.at[e] = e % 7 ? fabs(X.at[e]) : 0;
    const seg_status status = CALL(seg_scale, ctx, SEG_SCALING_TF_IDF, &X);
    if (status == SEG_OK)
        told_matrix(&X);
    return status;
}

static const sweep_case cases[] = {
    {"csv", read_vectors, "table.csv", 1},
    {"gzip", read_vectors, "table.gz", 1},
    {"npy", read_vectors, "table.npy", 1},
    {"npy-large", read_vectors, "large.npy", 1},
    {"floats", read_floats, "large.npy", 1},
    {"floats-small", read_floats, "table.npy", 1},
    {"floats-kmeans", cluster_floats, "kmeans", 2},
    {"floats-pckmeans", cluster_floats, "pckmeans", 2},
    {"long", read_vectors, "long.csv", 1},
    {"names", read_names, "table.csv", 1},
    {"labels", read_labels, "labels.txt", 1},
    {"packed-labels", read_labels, "labels.gz", 1},
    {"edges", read_edges, "edges.txt", 1},
    {"kernel", read_kernel, "kernel.csv", 1},
    {"write-csv", write_labels, "labels.csv", 1},
    {"write-npy", write_labels, "labels.npy", 1},
    {"write-text", write_labels, "labels.out", 1},
    {"write-floats", write_floats, "floats.npy", 1},
    {"any-csv", write_any, "any.csv", 1},
    {"any-npy", write_any, "any.npy", 1},
    {"kernel-csv", write_any, "kernel-out.csv", 1},
    {"pairs-csv", write_pairs, "pairs-out.csv", 1},
    {"standardise", standardise, NULL, 1},
    {"tf-idf", weigh, NULL, 1},
    {"edges-base", read_edges_base, "edges.txt", 1},
};
TOPIC(sweep_vectors, "vectors");
