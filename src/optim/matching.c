/* The Hungarian method in its shortest-augmenting-path form: rows are matched one after the other; for each new row,
 * the cheapest alternating path to a free column under reduced costs is found (Dijkstra over columns), and the dual
 * prices are updated so that reduced costs stay >= 0 [kuhn1955, jonker1987]. Costs are integers. */
#include "optim/matching.h"
#include "base/base.h"

typedef struct problem {
    const uint64_t *gain;
    size_t rows, cols;         /* rows <= cols */
    size_t row_step, col_step; /* of gain: the table or its transpose */
    int64_t *row_price, *col_price;
    int64_t *distance; /* path length from the new row to each column */
    int64_t *col_row;  /* the row that a column is matched with, -1 if free */
    int64_t *previous; /* the previous column on the shortest path, -1 if it begins at the new row */
    char *reached;     /* 1 if the distance of a column is final */
} problem;

/* Match row `start` by one shortest augmenting path. */
static void augment(problem *p, size_t start) {
    const int64_t infinite = INT64_MAX;
    int64_t row = (int64_t)start, column = -1, length = 0;
    for (size_t j = 0; j < p->cols; j++) {
        p->distance[j] = infinite;
        p->reached[j] = 0;
    }
    do {
        /* Relax the columns from the row at the end of the path; the nearest column is the next end. */
        const uint64_t *gain = p->gain + (size_t)row * p->row_step;
        int64_t nearest = infinite, next = -1;
        for (size_t j = 0; j < p->cols; j++) {
            if (p->reached[j])
                continue;
            int64_t reduced = -(int64_t)gain[j * p->col_step] - p->row_price[row] - p->col_price[j];
            if (length + reduced < p->distance[j]) {
                p->distance[j] = length + reduced;
                p->previous[j] = column;
            }
            if (p->distance[j] < nearest) {
                nearest = p->distance[j];
                next = (int64_t)j;
            }
        }
        column = next;
        length = nearest;
        p->reached[column] = 1;
        row = p->col_row[column];
    } while (row >= 0);
    /* Update prices: rows and columns on the tree change by how much nearer they are than the free column. */
    p->row_price[start] += length;
    for (size_t j = 0; j < p->cols; j++)
        if (p->reached[j] && (int64_t)j != column) {
            p->row_price[p->col_row[j]] += length - p->distance[j];
            p->col_price[j] -= length - p->distance[j];
        }
    while (column >= 0) { /* shift the matches along the path */
        int64_t before = p->previous[column];
        p->col_row[column] = before >= 0 ? p->col_row[before] : (int64_t)start;
        column = before;
    }
}

/* Initial prices that keep every reduced cost >= 0: the largest gain of each row. */
static void start_prices(problem *p) {
    for (size_t i = 0; i < p->rows; i++) {
        uint64_t largest = 0;
        for (size_t j = 0; j < p->cols; j++) {
            uint64_t gain = p->gain[i * p->row_step + j * p->col_step];
            largest = gain > largest ? gain : largest;
        }
        p->row_price[i] = -(int64_t)largest;
    }
}

seg_status seg_matching_best(seg_context *ctx, const uint64_t *gain, size_t rows, size_t cols, int32_t *match,
                             uint64_t *best) {
    const int flipped = rows > cols;
    problem p = {.gain = gain,
                 .rows = flipped ? cols : rows,
                 .cols = flipped ? rows : cols,
                 .row_step = flipped ? 1 : cols,
                 .col_step = flipped ? cols : 1};
    *best = 0;
    SEG_LOCAL_ARRAYS(ctx, SEG_ARRAY(p.row_price, p.rows), SEG_ARRAY(p.col_price, p.cols), SEG_ARRAY(p.distance, p.cols),
                     SEG_ARRAY(p.col_row, p.cols), SEG_ARRAY(p.previous, p.cols), SEG_ARRAY(p.reached, p.cols));
    for (size_t j = 0; j < p.cols; j++)
        p.col_row[j] = -1;
    start_prices(&p);
    for (size_t i = 0; i < p.rows; i++)
        augment(&p, i);
    for (size_t i = 0; match && i < rows; i++)
        match[i] = -1;
    for (size_t j = 0; j < p.cols; j++) {
        if (p.col_row[j] < 0)
            continue;
        size_t i = (size_t)p.col_row[j];
        *best += gain[i * p.row_step + j * p.col_step];
        if (match && flipped)
            match[j] = (int32_t)i;
        else if (match)
            match[i] = (int32_t)j;
    }
    return SEG_OK;
}
