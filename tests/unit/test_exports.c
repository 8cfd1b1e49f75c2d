/* What is exported is read back by readers that share nothing with the writers, and gives the same mask. */
#include "check.h"

#include "image/mask.h"
#include "image/raster.h"
#include "masks/exports/export.h"

#include <jansson.h>

#define FOLDER SEGMENT_BINARY_DIR "/exports"

/* --- A rasteriser by scan lines: edges in any direction, the even-odd rule at the centres of the pixels. --- */

typedef struct polygon {
    double x[20000], y[20000];
    int first[4000], rings, count; /* ring r is first[r] .. first[r + 1] - 1 */
} polygon;

static void begin(polygon *p) {
    memset(p, 0, sizeof *p);
}
static void end_ring(polygon *p) {
    assert_true(p->rings + 1 < 4000);
    p->first[++p->rings] = p->count;
}
static void add(polygon *p, double x, double y) {
    assert_true(p->count < 20000);
    p->x[p->count] = x;
    p->y[p->count++] = y;
}

static void fill(const polygon *p, int label, seg_mask *out) {
    for (int row = 0; row < out->height; row++) {
        const double y = row + 0.5;
        uint8_t toggle[2048] = {0}, inside = 0;
        assert_true(out->width < 2048);
        for (int r = 0; r < p->rings; r++)
            for (int i = p->first[r]; i < p->first[r + 1]; i++) {
                const int j = i + 1 < p->first[r + 1] ? i + 1 : p->first[r];
                if ((p->y[i] > y) == (p->y[j] > y))
                    continue;
                const double x = p->x[i] + (y - p->y[i]) / (p->y[j] - p->y[i]) * (p->x[j] - p->x[i]);
                toggle[(int)ceil(x - 0.5)] ^= 1; /* from the first centre beyond it */
            }
        for (int column = 0; column < out->width; column++) {
            inside ^= toggle[column];
            if (inside) {
                uint8_t *to = &out->label[row * out->width + column];
                assert_int_equal(*to, 0); /* no pixel twice */
                *to = (uint8_t)label;
            }
        }
    }
}

static double area(const polygon *p, int r) {
    double twice = 0;
    for (int i = p->first[r]; i < p->first[r + 1]; i++) {
        const int j = i + 1 < p->first[r + 1] ? i + 1 : p->first[r];
        twice += p->x[i] * p->y[j] - p->x[j] * p->y[i];
    }
    return twice / 2;
}

/* --- Masks to export. --- */

enum { KINDS = 9 };

static seg_mask make_mask(int kind) {
    seg_mask out;
    static const int size[KINDS][2] = {{1, 1},   {7, 1},   {1, 9},   {16, 12}, {33, 27},
                                       {61, 40}, {40, 61}, {24, 24}, {0, 0}};
    seg_random random = seg_random_seeded(77, (uint64_t)kind);
    if (kind == KINDS - 1) { /* a real one */
        assert_ok(&ctx, seg_truth_read(&ctx, SEGMENT_SOURCE_DIR "/groundtruth/picos.png", &out));
        return out;
    }
    out = new_mask(&ctx, size[kind][0], size[kind][1]);
    for (int y = 0, i = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++, i++) {
            const double u = seg_random_uniform(&random);
            int label;
            if (kind < 3)
                label = 1 + (x + y) / 3 % 2;
            else if (kind == 3) /* squares that meet at corners */
                label = 1 + (x / 2 + y / 2) % 2;
            else if (kind == 7) /* rings in rings, the innermost of the first label */
                label = 1 + (abs(x - 12) > abs(y - 12) ? abs(x - 12) : abs(y - 12)) / 3 % 2;
            else if (kind == 4) /* noise: every kind of corner */
                label = (int)(u * 3);
            else /* blobs with specks, unlabelled and void ones */
                label = u < 0.06 ? 0 : u < 0.1 ? SEG_VOID : u < 0.2 ? 254 : 1 + (x / 9 + y / 7) % 3;
            out.label[i] = (uint8_t)label;
        }
    return out;
}

static seg_mask blank_like(const seg_mask *mask) {
    return new_mask(&ctx, mask->width, mask->height);
}

/* What the formats keep: labels, not void. */
static void assert_same_labels(const seg_mask *got, const seg_mask *mask, const char *format) {
    for (int i = 0; i < mask->width * mask->height; i++) {
        const int expected = mask->label[i] == SEG_VOID ? 0 : mask->label[i];
        if (got->label[i] != expected)
            fail_msg("%s: pixel (%d, %d) is %d and not %d", format, i % mask->width, i / mask->width, got->label[i],
                     expected);
    }
}

static int count_label(const seg_mask *mask, int label) {
    int count = 0;
    for (int i = 0; i < mask->width * mask->height; i++)
        count += mask->label[i] == label;
    return count;
}

static const char *write_as(const char *format, const seg_mask *mask, const seg_export_about *about) {
    static char path[512];
    snprintf(path, sizeof path, "%s/mask.%s", FOLDER, seg_export_format_find(format)->ending);
    assert_ok(&ctx, seg_export_write(&ctx, format, path, mask, about));
    return path;
}

static json_t *read_json(const char *path) {
    json_error_t error;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!json)
        fail_msg("%s: %s", path, error.text);
    return json;
}

static json_int_t whole(json_t *object, const char *key) {
    assert_true(json_is_integer(json_object_get(object, key)));
    return json_integer_value(json_object_get(object, key));
}
static const char *text(json_t *object, const char *key) {
    assert_true(json_is_string(json_object_get(object, key)));
    return json_string_value(json_object_get(object, key));
}

static void add_pair(polygon *p, json_t *pair) {
    assert_int_equal(json_array_size(pair), 2);
    add(p, json_number_value(json_array_get(pair, 0)), json_number_value(json_array_get(pair, 1)));
}

/* --- The formats. --- */

TEST(coco) {
    for (int kind = 0; kind < KINDS; kind++) {
        SCOPED(seg_mask) mask = make_mask(kind);
        SCOPED(seg_mask) got = blank_like(&mask);
        json_t *all = read_json(write_as("coco", &mask, &(seg_export_about){"folder/a.jpg", NULL}));
        json_t *image = json_array_get(json_object_get(all, "images"), 0);
        json_t *annotations = json_object_get(all, "annotations"), *annotation;
        size_t a, i;
        assert_string_equal(text(image, "file_name"), "a.jpg");
        assert_int_equal(whole(image, "width"), mask.width);
        assert_int_equal(whole(image, "height"), mask.height);
        json_array_foreach(annotations, a, annotation) {
            json_t *rle = json_object_get(annotation, "segmentation"), *count;
            const int label = (int)whole(annotation, "category_id");
            int at = 0, inside = 0, box[4] = {mask.width, mask.height, 0, 0};
            assert_int_equal(whole(annotation, "id"), a + 1);
            assert_int_equal(whole(annotation, "image_id"), whole(image, "id"));
            assert_int_equal(json_integer_value(json_array_get(json_object_get(rle, "size"), 0)), mask.height);
            assert_int_equal(json_integer_value(json_array_get(json_object_get(rle, "size"), 1)), mask.width);
            json_array_foreach(json_object_get(rle, "counts"), i, count) {
                assert_true(i == 0 || json_integer_value(count) > 0);
                for (json_int_t n = json_integer_value(count); n > 0; n--, at++) {
                    const int x = at / mask.height, y = at % mask.height;
                    if (!inside)
                        continue;
                    got.label[y * mask.width + x] = (uint8_t)label;
                    box[0] = x < box[0] ? x : box[0];
                    box[1] = y < box[1] ? y : box[1];
                    box[2] = x > box[2] ? x : box[2];
                    box[3] = y > box[3] ? y : box[3];
                }
                inside = !inside;
            }
            assert_int_equal(at, mask.width * mask.height);
            assert_int_equal(whole(annotation, "area"), count_label(&mask, label));
            json_t *written = json_object_get(annotation, "bbox");
            assert_int_equal(json_integer_value(json_array_get(written, 0)), box[0]);
            assert_int_equal(json_integer_value(json_array_get(written, 1)), box[1]);
            assert_int_equal(json_integer_value(json_array_get(written, 2)), box[2] - box[0] + 1);
            assert_int_equal(json_integer_value(json_array_get(written, 3)), box[3] - box[1] + 1);
        }
        assert_int_equal(json_array_size(json_object_get(all, "categories")), json_array_size(annotations));
        assert_same_labels(&got, &mask, "coco");
        json_decref(all);
    }
}

TEST(geojson) {
    static polygon p;
    for (int kind = 0; kind < KINDS; kind++) {
        SCOPED(seg_mask) mask = make_mask(kind);
        SCOPED(seg_mask) got = blank_like(&mask);
        json_t *all = read_json(write_as("geojson", &mask, NULL)), *feature, *rings, *ring, *pair;
        size_t f, m, r, i;
        assert_string_equal(text(all, "type"), "FeatureCollection");
        json_array_foreach(json_object_get(all, "features"), f, feature) {
            json_t *geometry = json_object_get(feature, "geometry"), *about = json_object_get(feature, "properties");
            double pixels = 0;
            assert_string_equal(text(geometry, "type"), "MultiPolygon");
            json_array_foreach(json_object_get(geometry, "coordinates"), m, rings) {
                begin(&p);
                json_array_foreach(rings, r, ring) {
                    const size_t count = json_array_size(ring) - 1;
                    assert_true(count >= 4 && json_equal(json_array_get(ring, 0), json_array_get(ring, count)));
                    json_array_foreach(ring, i, pair) {
                        if (i < count)
                            add_pair(&p, pair);
                    }
                    end_ring(&p);
                    /* Outer rings turn counterclockwise as numbers, holes clockwise, and no corner comes twice. */
                    assert_true(r == 0 ? area(&p, (int)r) > 0 : area(&p, (int)r) < 0);
                    for (int a = p.first[r]; a < p.first[r + 1]; a++)
                        for (int b = a + 1; b < p.first[r + 1]; b++)
                            assert_true(p.x[a] != p.x[b] || p.y[a] != p.y[b]);
                    pixels += area(&p, (int)r);
                }
                fill(&p, (int)whole(about, "label"), &got);
            }
            assert_near(pixels, (double)whole(about, "pixels"), 0);
        }
        assert_same_labels(&got, &mask, "geojson");
        json_decref(all);
    }
}

TEST(svg) {
    static polygon p;
    static char line[1 << 20];
    for (int kind = 0; kind < KINDS; kind++) {
        SCOPED(seg_mask) mask = make_mask(kind);
        SCOPED(seg_mask) got = blank_like(&mask);
        FILE *file = fopen(write_as("svg", &mask, NULL), "r");
        char expected[64];
        assert_non_null(fgets(line, sizeof line, file));
        snprintf(expected, sizeof expected, "viewBox=\"0 0 %d %d\"", mask.width, mask.height);
        assert_non_null(strstr(line, expected));
        while (fgets(line, sizeof line, file) && strncmp(line, "</svg>", 6) != 0) {
            int label = 0;
            assert_int_equal(sscanf(line, "<path id=\"label-%d\"", &label), 1);
            assert_non_null(strstr(line, "fill-rule=\"evenodd\""));
            double x = 0, y = 0;
            begin(&p);
            for (char *at = strstr(line, " d=\"") + 4; *at != '"';) {
                const char command = *at++;
                if (command == 'z') {
                    end_ring(&p);
                    continue;
                }
                const double value = strtol(at, &at, 10);
                if (command == 'M') {
                    x = value;
                    y = strtol(at, &at, 10);
                } else {
                    assert_true(command == 'h' || command == 'v');
                    *(command == 'h' ? &x : &y) += value;
                }
                add(&p, x, y);
            }
            fill(&p, label, &got);
        }
        fclose(file);
        assert_same_labels(&got, &mask, "svg");
    }
}

TEST(yolo) {
    static polygon p;
    static char line[1 << 20];
    for (int kind = 0; kind < KINDS; kind++) {
        SCOPED(seg_mask) mask = make_mask(kind);
        SCOPED(seg_mask) got = blank_like(&mask);
        FILE *file = fopen(write_as("yolo", &mask, NULL), "r");
        while (fgets(line, sizeof line, file)) {
            char *at = line, *end;
            const int label = (int)strtol(at, &at, 10) + 1;
            begin(&p);
            for (;;) {
                const double x = strtod(at, &end);
                if (end == at)
                    break;
                const double y = strtod(end, &at);
                assert_true(x >= 0 && x <= 1 && y >= 0 && y <= 1);
                assert_near(x * mask.width, round(x * mask.width), 1e-4);
                add(&p, x * mask.width, y * mask.height);
            }
            end_ring(&p);
            fill(&p, label, &got);
        }
        fclose(file);
        assert_same_labels(&got, &mask, "yolo");
    }
}

TEST(labelme) {
    static polygon p;
    static seg_labelmap names;
    names.count = 2;
    strcpy(names.name[0], "dog \"Rex\"");
    strcpy(names.name[1], "\xff<&");
    for (int kind = 0; kind < KINDS; kind++) {
        SCOPED(seg_mask) mask = make_mask(kind);
        SCOPED(seg_mask) got = blank_like(&mask);
        const seg_export_about about = {"a.jpg", &names};
        json_t *all = read_json(write_as("labelme", &mask, &about)), *shape, *pair;
        size_t s, i;
        assert_string_equal(text(all, "imagePath"), "a.jpg");
        assert_int_equal(whole(all, "imageWidth"), mask.width);
        json_array_foreach(json_object_get(all, "shapes"), s, shape) {
            const int label = (int)whole(shape, "group_id");
            assert_string_equal(text(shape, "shape_type"), "polygon");
            assert_string_equal(text(shape, "label"), label == 1     ? "dog \"Rex\""
                                                      : label == 2   ? "?<&"
                                                      : label == 254 ? "label 254"
                                                                     : "label 3");
            begin(&p);
            json_array_foreach(json_object_get(shape, "points"), i, pair) add_pair(&p, pair);
            end_ring(&p);
            /* The cuts go straight up or down and lead nowhere twice in a row. */
            for (int a = 0; a < p.count; a++) {
                const int b = (a + 1) % p.count;
                assert_true((p.x[a] == p.x[b]) != (p.y[a] == p.y[b]));
            }
            fill(&p, label, &got);
        }
        assert_same_labels(&got, &mask, "labelme");
        json_decref(all);
    }
}

TEST(npy) {
    for (int kind = 0; kind < KINDS; kind++) {
        SCOPED(seg_mask) mask = make_mask(kind);
        const size_t pixels = (size_t)mask.width * (size_t)mask.height;
        AUTOFREE unsigned char *bytes;
        size_t size;
        char expected[128];
        assert_ok(&ctx, seg_file_read(&ctx, write_as("npy", &mask, NULL), &bytes, &size));
        const size_t header = 10 + bytes[8] + 256u * bytes[9];
        snprintf(expected, sizeof expected, "{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }",
                 mask.height, mask.width);
        assert_memory_equal(bytes + 10, expected, strlen(expected));
        assert_int_equal(size, header + pixels);
        assert_memory_equal(bytes + header, mask.label, pixels);
    }
}

TEST(masks) {
    for (int kind = 0; kind < KINDS; kind++) {
        SCOPED(seg_mask) mask = make_mask(kind);
        SCOPED(seg_mask) got = blank_like(&mask);
        const char *folder = write_as("masks", &mask, NULL);
        for (int label = 1; label <= SEG_MAX_LABELS; label++) {
            char path[600];
            SCOPED(seg_raster) raster = {0};
            snprintf(path, sizeof path, "%s/label-%d.png", folder, label);
            if (!count_label(&mask, label)) {
                unlink(path); /* of the mask before */
                continue;
            }
            assert_ok(&ctx, seg_raster_read(&ctx, path, &raster));
            assert_int_equal(raster.channels, 1);
            for (int i = 0; i < mask.width * mask.height; i++) {
                assert_true(raster.sample8[i] == 0 || raster.sample8[i] == 255);
                if (raster.sample8[i])
                    got.label[i] = (uint8_t)label;
            }
        }
        assert_same_labels(&got, &mask, "masks");
    }
}

/* A ring of pixels whose ends meet at a corner only: one piece, whose hole touches the outer ring there. */
TEST(a_hole_touches_the_outer_ring) {
    static const char picture[] = "11..."
                                  "1.1.."
                                  "111..";
    SCOPED(seg_outlines) outlines;
    SCOPED(seg_mask) mask = new_mask(&ctx, 5, 3);
    for (int i = 0; i < 15; i++)
        mask.label[i] = picture[i] == '1';
    assert_ok(&ctx, seg_outlines_trace(&ctx, &mask, 0, &outlines));
    assert_int_equal(outlines.rings, 2);
    assert_int_equal(outlines.ring[0].count, 6);
    assert_int_equal(outlines.ring[0].hole, 0);
    assert_int_equal(outlines.ring[1].count, 4);
    assert_int_equal(outlines.ring[1].hole, 1);
    assert_int_equal(outlines.corner[outlines.ring[1].first].x, 1);
    assert_int_equal(outlines.corner[outlines.ring[1].first].y, 1);
}

TEST(refusals) {
    SCOPED(seg_mask) mask = make_mask(3);
    assert_fails(&ctx, seg_export_write(&ctx, "gif", FOLDER "/x", &mask, NULL), SEG_ERR_USAGE, "'gif'");
    assert_int_equal(seg_export_write(&ctx, "masks", "-", &mask, NULL), SEG_ERR_USAGE);
    assert_null(seg_export_format_find("gif"));
    assert_null(seg_export_format_at(-1));
    for (int f = 0; seg_export_format_at(f); f++) {
        const char *name = seg_export_format_at(f)->name;
        assert_ptr_equal(seg_export_format_find(name), seg_export_format_at(f));
        assert_fails(&ctx, seg_export_write(&ctx, name, FOLDER "/none/there", &mask, NULL), SEG_ERR_IO, "none/there");
    }
}

BEFORE_EACH {
    ctx.threads = 1;
    assert_int_equal(system("rm -rf '" FOLDER "' && mkdir -p '" FOLDER "'"), 0);
}
