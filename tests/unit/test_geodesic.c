/* Shortest paths from growing sets of nodes. */
#include "check.h"

#include "graph/geodesic.h"

TEST(paths_follow_the_graph) {
    /* 0 -1- 1 -0.5- 2   0 -0.25- 2   3 alone: from 0 to 2 it is 3 over node 1, 4 straight. */
    size_t start[] = {0, 2, 4, 6, 6};
    int32_t column[] = {1, 2, 0, 2, 0, 1};
    double value[] = {1, 0.25, 1, 0.5, 0.25, 0.5};
    const seg_csr W = {4, 4, start, column, value};
    const int32_t zero = 0, two = 2;
    SCOPED(seg_geodesic) g;
    assert_ok(&ctx, seg_geodesic_create(&ctx, W.rows, &W, &g));
    assert_ok(&ctx, seg_geodesic_grow(&ctx, &g, 1, &zero, 5));
    assert_near(g.distance[2], 3, 1e-15);
    assert_true(isinf(g.distance[3]) && g.owner[3] == -1 && g.owner[2] == 5);
    assert_ok(&ctx, seg_geodesic_grow(&ctx, &g, 1, &two, 6));
    assert_near(g.distance[1], 1, 1e-15);
    assert_int_equal(g.owner[1], 5);
    assert_int_equal(g.owner[2], 6);
}
