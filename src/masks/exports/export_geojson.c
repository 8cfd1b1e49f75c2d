/* GeoJSON: a MultiPolygon a label. The way along the rings is the one that the format asks for: as numbers, outer rings
 * turn counterclockwise. */
#include "masks/exports/export.h"

/* The corners and the first again. All here: a new reference, NULL without memory. */
static json_t *ring_json(const seg_outlines *outlines, const seg_ring *ring) {
    json_t *points = json_array();
    for (size_t i = 0; i <= ring->count; i++) {
        const seg_corner c = outlines->corner[ring->first + (i < ring->count ? i : 0)];
        if (json_array_append_new(points, seg_json_pair(c.x, c.y))) {
            json_decref(points);
            return NULL;
        }
    }
    return points;
}

/* The pieces of the label whose first ring is *r; *r goes on to the next label's. */
static json_t *polygons_json(const seg_outlines *outlines, size_t *r) {
    const uint8_t label = outlines->ring[*r].label;
    json_t *polygons = json_array();
    int failed = !polygons;
    while (*r < outlines->rings && outlines->ring[*r].label == label && !failed) {
        const size_t end = seg_outlines_piece_end(outlines, *r);
        json_t *rings = json_array();
        for (; *r < end && !failed; ++*r)
            failed = json_array_append_new(rings, ring_json(outlines, &outlines->ring[*r]));
        failed |= json_array_append_new(polygons, rings);
    }
    return seg_json_unless(polygons, failed);
}

seg_status seg_export_geojson(seg_context *ctx, const char *path, const seg_mask *mask, const seg_export_about *about) {
    seg_outlines outlines;
    seg_extent extent[256];
    seg_status status = seg_outlines_trace_simply(ctx, mask, about->simplify, &outlines);
    if (status != SEG_OK)
        return status;
    seg_extents(mask, extent);
    json_t *features = json_array();
    int failed = 0;
    for (size_t r = 0; r < outlines.rings && !failed;) {
        const int label = outlines.ring[r].label;
        char name[64], colour[8];
        seg_export_name(about, label, name);
        seg_export_colour(mask, label, colour);
        json_t *polygons = polygons_json(&outlines, &r);
        failed = json_array_append_new(
            features, json_pack("{s:s, s:{s:i, s:s, s:s, s:I}, s:{s:s, s:o}}", "type", "Feature", "properties", "label",
                                label, "name", name, "colour", colour, "pixels", (json_int_t)extent[label].pixels,
                                "geometry", "type", "MultiPolygon", "coordinates", polygons));
    }
    seg_outlines_free(&outlines);
    features = seg_json_unless(features, failed);
    return seg_json_write(ctx, path,
                          features ? json_pack("{s:s, s:o}", "type", "FeatureCollection", "features", features) : NULL);
}
