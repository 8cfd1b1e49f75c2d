/* Models: what is learned from strokes on some images segments others; the same bytes; the edges; hostile files. */
#include "scene.h"

#include "graph/laplacian.h"
#include "model/model.h"
#include "model/series.h"

#include <zlib.h>

enum { WIDTH = 140, HEIGHT = 100, PIXELS = WIDTH * HEIGHT, CHANNELS_AT = 172 /* in a file */ };

/* Discs at other places in every image of the series, on two grounds. */
static int shift;

static int region(int x, int y, int width, int height) {
    const int u = x - width * (2 + shift % 3) / 6, v = y - height * (3 - shift % 2) / 7;
    if (u * u + v * v < 500)
        return 1;
    return 5 * y > (3 + shift % 2) * height ? 2 : 3;
}

static int odd_region(int x, int y, int width, int height) {
    return x > width / 2 && y < height / 2 ? 10 : region(x, y, width, height);
}

/* Strokes by the truth: every label of which there is much on lines across the image. */
static void mark(scene *s) {
    for (int y = 7; y < s->photo.height; y += 14)
        for (int x = 4; x + 8 < s->photo.width; x += 2) {
            const uint8_t *row = s->truth.label + y * s->photo.width;
            if (row[x - 4] == row[x] && row[x + 8] == row[x])
                scene_mark(s, x, y, row[x]);
        }
}

static scene make(int number, int width, int height) {
    shift = number;
    scene out = scene_make(width, height, 0, region);
    mark(&out);
    return out;
}

static seg_status apply_model(seg_context *ctx, const seg_model *model, const seg_image *photo,
                              const seg_mask *scribbles, const seg_options *options, seg_result **out) {
    seg_options own = seg_options_default();
    own = options ? *options : own;
    own.model = model;
    return seg_segment_photo(ctx, photo, scribbles, NULL, &own, out);
}

static seg_model *learn(seg_context *ctx, int images) {
    seg_model *model;
    assert_ok(ctx, seg_model_create(ctx, NULL, &model));
    for (int i = 0; i < images; i++) {
        char name[24];
        SCOPED(scene) s = make(i, WIDTH + 10 * i, HEIGHT); /* sizes differ */
        snprintf(name, sizeof name, "image %d", i);
        assert_ok(ctx, seg_model_add(ctx, model, name, &s.photo, &s.scribbles));
    }
    assert_ok(ctx, seg_model_learn(ctx, model));
    return model;
}

/* Of one image, whose halves are two channels. */
static seg_model *learn_channels(seg_context *ctx) {
    seg_model *model;
    seg_options options = seg_options_default();
    options.channels = 2;
    SCOPED(scene) s = make(0, WIDTH, HEIGHT);
    s.scribbles.height /= 2;
    assert_ok(ctx, seg_model_create(ctx, &options, &model));
    assert_ok(ctx, seg_model_add(ctx, model, "channels", &s.photo, &s.scribbles));
    assert_ok(ctx, seg_model_learn(ctx, model));
    return model;
}

/* Share of the pixels whose label is not the truth's. */
static double wrong(const scene *s, const seg_mask *mask) {
    int count = 0;
    for (int p = 0; p < s->photo.width * s->photo.height; p++)
        count += mask->label[p] != s->truth.label[p];
    return (double)count / (s->photo.width * s->photo.height);
}

static int count_of(const seg_mask *mask, int label) {
    int count = 0;
    for (int p = 0; p < mask->width * mask->height; p++)
        count += mask->label[p] == label;
    return count;
}

TEST(three_images_teach_a_fourth) {
    SCOPED_RESULT *result = NULL;
    SCOPED(scene) s = make(4, WIDTH, HEIGHT);
    SCOPED_MODEL *model = learn(&s.ctx, 3);
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &s.photo, NULL, NULL, &result));
    assert_true(wrong(&s, &result->mask) < 0.03);
    assert_int_equal(result->k, 4); /* the fourth is what nothing fits */
    assert_int_equal(result->mask.labels, 3);
    assert_int_equal(count_of(&result->mask, SEG_VOID), 0);
}

TEST(the_file_has_the_same_bytes_for_any_threads_and_reads_back) {
    void *bytes[3], *again;
    size_t size[3], again_size;
    SCOPED_MODEL *read;
    SCOPED_RESULT *a, *b;
    SCOPED_MODEL *model = NULL;
    for (int t = 0; t < 3; t++) {
        ctx.threads = 1 << t;
        seg_model_free(model);
        model = learn(&ctx, 3);
        assert_ok(&ctx, seg_model_bytes(&ctx, model, &bytes[t], &size[t]));
        assert_int_equal(size[t], size[0]);
        assert_memory_equal(bytes[t], bytes[0], size[0]);
    }
    assert_ok(&ctx, seg_model_read_memory(&ctx, bytes[0], size[0], "test", &read));
    assert_ok(&ctx, seg_model_bytes(&ctx, read, &again, &again_size));
    assert_int_equal(again_size, size[0]);
    assert_memory_equal(again, bytes[0], size[0]);
    SCOPED(scene) s = make(5, WIDTH, HEIGHT);
    assert_ok(&ctx, apply_model(&ctx, model, &s.photo, NULL, NULL, &a));
    ctx.threads = 1;
    assert_ok(&ctx, apply_model(&ctx, read, &s.photo, NULL, NULL, &b));
    assert_memory_equal(a->mask.label, b->mask.label, PIXELS);
    ctx.seed = 2; /* another forest */
    seg_model_free(model);
    model = learn(&ctx, 3);
    free(again);
    assert_ok(&ctx, seg_model_bytes(&ctx, model, &again, &again_size));
    assert_true(again_size != size[0] || memcmp(again, bytes[0], size[0]) != 0);
    for (int t = 0; t < 3; t++)
        free(bytes[t]);
    free(again);
}

TEST(what_it_says_of_itself) {
    seg_model_info about;
    double sum = 0, least = 2;
    SCOPED_MODEL *model = learn(&ctx, 4);
    seg_model_about(model, 0, &about);
    assert_int_equal(about.images, 4);
    assert_int_equal(about.listed, 4);
    assert_int_equal(about.judged, 4);
    assert_int_equal(about.labels, 3);
    assert_true(about.accuracy > 0.95 && about.least <= about.accuracy);
    for (int i = 0; i < 4; i++) {
        seg_model_about(model, i, &about);
        const seg_model_image_info image = about.image;
        assert_int_equal(image.judged, image.marked);
        sum += image.accuracy;
        if (image.accuracy < least) {
            least = image.accuracy;
            assert_true(i <= about.worst || image.accuracy >= about.least);
        }
    }
    assert_near(sum / 4, about.accuracy, 1e-12);
    assert_near(least, about.least, 0);
    seg_model_about(model, 4, &about);
    assert_string_equal(about.image.name, "");
    assert_ok(&ctx, seg_model_name_label(&ctx, model, 2, "ground"));
    seg_model_about(model, 1, &about);
    assert_int_equal(about.label.number, 2);
    assert_string_equal(about.label.name, "ground");
    seg_model_about(model, 3, &about);
    assert_int_equal(about.label.number, 0);
    assert_string_equal(about.label.name, "");
    seg_model_about(model, -1, &about);
    assert_string_equal(about.label.name, "");
    assert_int_equal(seg_model_name_label(&ctx, model, 2, "a\nb"), SEG_ERR_USAGE);
}

/* Columns are in the order of their labels, and the largest number of a pixel is that of its label but for specks. */
static void assert_columns(const seg_result *r) {
    int other = 0;
    for (int c = 1; c < r->k; c++)
        assert_true(r->column_label[c - 1] < r->column_label[c]);
    for (int p = 0; p < PIXELS; p++) {
        const float *own = r->probability + (ptrdiff_t)p * r->k;
        int best = 0;
        for (int c = 1; c < r->k; c++)
            best = own[c] > own[best] ? c : best;
        other += r->column_label[best] != r->mask.label[p];
    }
    assert_true(other < PIXELS / 20);
}

TEST(strokes_keep_their_labels_and_may_bring_new_ones) {
    SCOPED_RESULT *result;
    seg_options options = seg_options_default();
    options.probability = 1;
    SCOPED(scene) s = make(4, WIDTH, HEIGHT);
    SCOPED_MODEL *model = learn(&s.ctx, 3);
    memset(s.scribbles.label, 0, PIXELS);
    s.scribbles.labels = 0;
    scene_stroke(&s, 5, 95, 60, 95, 1, 2); /* as the model would have it */
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &s.photo, &s.scribbles, &options, &result));
    assert_true(wrong(&s, &result->mask) < 0.03);
    assert_columns(result); /* also where the stroke is of the second label */
    for (int p = 0; p < PIXELS; p++)
        assert_true(!s.scribbles.label[p] || result->mask.label[p] == s.scribbles.label[p]);
    seg_result_free(result);
    scene_stroke(&s, 100, 5, 135, 30, 1, 9); /* a label that the model does not know, on what it takes for 3 */
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &s.photo, &s.scribbles, &options, &result));
    assert_int_equal(result->mask.labels, 9);
    assert_columns(result);
    for (int p = 0; p < PIXELS; p++)
        assert_true(!s.scribbles.label[p] || result->mask.label[p] == s.scribbles.label[p]);
    assert_true(count_of(&result->mask, 9) > PIXELS / 20);
    assert_true(count_of(&result->mask, 1) > 300);
}

TEST(what_nothing_fits_is_unknown) {
    SCOPED_RESULT *result;
    seg_options options = seg_options_default();
    int odd = 0, found = 0;
    shift = 4;
    SCOPED(scene) s = scene_make(WIDTH, HEIGHT, 0, odd_region);
    SCOPED_MODEL *model = learn(&s.ctx, 3);
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &s.photo, NULL, NULL, &result));
    for (int p = 0; p < PIXELS; p++) {
        odd += s.truth.label[p] == 10;
        found += s.truth.label[p] == 10 && result->mask.label[p] == SEG_VOID;
        if (result->mask.label[p] == SEG_VOID) /* textures reach beyond the area */
            assert_true(p % WIDTH > WIDTH / 2 - 18 && p / WIDTH < HEIGHT / 2 + 18);
    }
    assert_true(found > 0.9 * odd);
    seg_result_free(result);
    options.no_unknown = 1;
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &s.photo, NULL, &options, &result));
    assert_int_equal(count_of(&result->mask, SEG_VOID), 0);
    assert_int_equal(result->k, 3);
}

/* Images that are the same do not say how others may differ: nothing of another is unknown for that. */
TEST(alike_images_do_not_make_others_unknown) {
    SCOPED(scene) odd;
    SCOPED_MODEL *model;
    SCOPED_RESULT *result;
    SCOPED(scene) s = make(0, WIDTH, HEIGHT);
    SCOPED(scene) t = make(4, WIDTH, HEIGHT);
    odd = scene_make(WIDTH, HEIGHT, 0, odd_region);
    assert_ok(&s.ctx, seg_model_create(&s.ctx, NULL, &model));
    for (int i = 0; i < 2; i++)
        assert_ok(&s.ctx, seg_model_add(&s.ctx, model, "twice", &s.photo, &s.scribbles));
    assert_ok(&s.ctx, seg_model_learn(&s.ctx, model));
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &t.photo, NULL, NULL, &result));
    assert_int_equal(count_of(&result->mask, SEG_VOID), 0);
    seg_result_free(result);
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &odd.photo, NULL, NULL, &result));
    assert_true(count_of(&result->mask, SEG_VOID) < PIXELS / 2);
}

/* Labels are names: with others the mask is the same but for them. */
TEST(other_numbers_give_the_same_regions) {
    static const uint8_t other[] = {0, 20, 30, 10};
    SCOPED_MODEL *plain, *renamed;
    SCOPED_RESULT *a, *b;
    int differ = 0;
    plain = learn(&ctx, 3);
    assert_ok(&ctx, seg_model_create(&ctx, NULL, &renamed));
    for (int i = 0; i < 3; i++) {
        SCOPED(scene) s = make(i, WIDTH + 10 * i, HEIGHT);
        for (int p = 0; p < s.photo.width * s.photo.height; p++)
            s.scribbles.label[p] = other[s.scribbles.label[p]];
        s.scribbles.labels = 30;
        assert_ok(&ctx, seg_model_add(&ctx, renamed, "x", &s.photo, &s.scribbles));
    }
    assert_ok(&ctx, seg_model_learn(&ctx, renamed));
    SCOPED(scene) t = make(5, WIDTH, HEIGHT);
    assert_ok(&ctx, apply_model(&ctx, plain, &t.photo, NULL, NULL, &a));
    assert_ok(&ctx, apply_model(&ctx, renamed, &t.photo, NULL, NULL, &b));
    for (int p = 0; p < PIXELS; p++)
        differ += other[a->mask.label[p]] != b->mask.label[p];
    assert_true(differ < PIXELS / 100); /* equal counts at a split may fall the other way */
}

TEST(one_image_one_label_and_a_label_of_one_image) {
    seg_model_info about;
    SCOPED_RESULT *result;
    SCOPED(scene) s = make(0, WIDTH, HEIGHT);
    SCOPED_MODEL *model = learn(&s.ctx, 1);
    seg_model_about(model, 0, &about);
    assert_int_equal(about.judged, 0);
    assert_true(isnan(about.accuracy) && about.worst == -1);
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &s.photo, NULL, NULL, &result));
    assert_true(wrong(&s, &result->mask) < 0.03);
    seg_result_free(result);
    seg_model_free(model);

    assert_ok(&s.ctx, seg_model_create(&s.ctx, NULL, &model));
    for (int p = 0; p < PIXELS; p++)
        s.scribbles.label[p] = s.scribbles.label[p] == 3 ? 3 : 0;
    SCOPED(scene) t = make(1, WIDTH, HEIGHT);
    assert_ok(&s.ctx, seg_model_add(&s.ctx, model, "one label", &s.photo, &s.scribbles));
    assert_ok(&s.ctx, seg_model_learn(&s.ctx, model));
    assert_ok(&s.ctx, apply_model(&s.ctx, model, &t.photo, NULL, NULL, &result));
    int right = 0;
    for (int p = 0; p < PIXELS; p++)
        right += (t.truth.label[p] == 3) == (result->mask.label[p] == 3);
    assert_true(right > 0.9 * PIXELS); /* the rest fits nothing */
    assert_ok(&s.ctx, seg_model_add(&s.ctx, model, "more labels", &t.photo, &t.scribbles));
    assert_ok(&s.ctx, seg_model_learn(&s.ctx, model)); /* again, with what was added */
    seg_model_about(model, 1, &about);
    assert_true(about.image.judged > 0 &&
                about.image.judged < about.image.marked); /* labels 1 and 2 are in this image only */
    seg_model_about(model, 0, &about);
    assert_int_equal(about.image.judged, about.image.marked);
}

static void assert_refused(seg_context *ctx, seg_status status, seg_status wanted, const char *part) {
    assert_int_equal(status, wanted);
    if (!strstr(ctx->message, part))
        print_error("'%s' is not in: %s\n", part, ctx->message);
    assert_says(ctx, part);
}

TEST(misuse_is_refused) {
    SCOPED_MODEL *empty, *read;
    seg_result *result;
    seg_options options = seg_options_default();
    AUTOFREE void *bytes;
    size_t size;
    SCOPED(scene) s = make(0, WIDTH, HEIGHT);
    SCOPED(scene) t = make(0, WIDTH + 1, HEIGHT);
    seg_context *ctx = &s.ctx;
    options.graph.kind = SEG_GRAPH_FULL;
    assert_refused(ctx, seg_model_create(ctx, &options, &empty), SEG_ERR_USAGE, "graph of nearest neighbours");
    assert_null(empty);
    assert_ok(ctx, seg_model_create(ctx, NULL, &empty));
    assert_refused(ctx, seg_model_learn(ctx, empty), SEG_ERR_USAGE, "no images to learn from");
    assert_refused(ctx, seg_model_bytes(ctx, empty, &bytes, &size), SEG_ERR_USAGE, "has not learned");
    assert_refused(ctx, apply_model(ctx, empty, &s.photo, NULL, NULL, &result), SEG_ERR_USAGE, "has not learned");
    assert_refused(ctx, seg_model_add(ctx, empty, "x", &s.photo, &t.scribbles), SEG_ERR_INPUT, "sizes must agree");
    memset(t.scribbles.label, 0, (WIDTH + 1) * HEIGHT);
    assert_refused(ctx, seg_model_add(ctx, empty, "x", &t.photo, &t.scribbles), SEG_ERR_INPUT, "nothing is marked");
    assert_refused(ctx, seg_model_learn(ctx, empty), SEG_ERR_USAGE, "no images to learn from"); /* as before */
    SCOPED_MODEL *model = learn(ctx, 2);
    assert_ok(ctx, seg_model_bytes(ctx, model, &bytes, &size));
    assert_ok(ctx, seg_model_read_memory(ctx, bytes, size, "x", &read));
    assert_refused(ctx, seg_model_add(ctx, read, "x", &s.photo, &s.scribbles), SEG_ERR_USAGE,
                   "cannot learn more images");
    assert_refused(ctx, seg_model_learn(ctx, read), SEG_ERR_USAGE, "cannot learn more images");
    static const struct {
        const char *name, *value, *part;
    } unfit[] = {{"regions", "2", "labels of its own"},
                 {"method", "ncut", "not with ncut"},
                 {"pairs", "5", "pairs"},
                 {"object", "", "object"},
                 {"graph", "full", "nearest neighbours"}};
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        options = seg_options_default();
        assert_ok(ctx, seg_options_set(ctx, &options, unfit[i].name, unfit[i].value));
        assert_refused(ctx, apply_model(ctx, model, &s.photo, NULL, &options, &result), SEG_ERR_USAGE, unfit[i].part);
        assert_null(result);
    }
    memset(s.scribbles.label, 0, PIXELS);
    SCOPED_RESULT *without = NULL, *empty_strokes = NULL; /* strokes may be missing */
    assert_ok(ctx, apply_model(ctx, model, &s.photo, NULL, NULL, &without));
    assert_ok(ctx, apply_model(ctx, model, &s.photo, &s.scribbles, NULL, &empty_strokes));
    assert_memory_equal(without->mask.label, empty_strokes->mask.label, PIXELS);
}

/* Write the checksum of changed bytes. */
static void sign(unsigned char *bytes, size_t size) {
    const uint32_t sum = (uint32_t)crc32(crc32(0, NULL, 0), bytes, (uInt)(size - SEG_MODEL_CHECK));
    for (int b = 0; b < 4; b++)
        bytes[size - 4 + (size_t)b] = (unsigned char)(sum >> 8 * b);
}

TEST(damaged_files_are_refused_in_a_sentence) {
    for (int channels = 1; channels < 3; channels++) {
        seg_model *read;
        AUTOFREE void *made;
        size_t size;
        SCOPED_MODEL *model = channels == 2 ? learn_channels(&ctx) : learn(&ctx, 1);
        assert_ok(&ctx, seg_model_bytes(&ctx, model, &made, &size));
        AUTOFREE unsigned char *bytes = malloc(size + 1);
        memcpy(bytes, made, size);
        for (size_t cut = 0; cut < size; cut += cut < 300 ? 1 : 997) {
            assert_int_equal(seg_model_read_memory(&ctx, bytes, cut, "f", &read), SEG_ERR_INPUT);
            assert_null(read);
            assert_true(strstr(ctx.message, "truncated") || strstr(ctx.message, "not a model"));
        }
        assert_refused(&ctx, seg_model_read_memory(&ctx, bytes, size + 1, "f", &read), SEG_ERR_INPUT, "longer than");
        bytes[size / 2] ^= 1;
        assert_refused(&ctx, seg_model_read_memory(&ctx, bytes, size, "f", &read), SEG_ERR_INPUT, "checksum");
        bytes[size / 2] ^= 1;
        assert_int_equal(bytes[8], channels);
        for (int i = 0; i < 3; i++) {
            bytes[8] = i < 2 ? 2 : 3;
            bytes[CHANNELS_AT] = i ? 65 : 1;
            sign(bytes, size);
            assert_refused(&ctx, seg_model_read_memory(&ctx, bytes, size, "f", &read), SEG_ERR_INPUT,
                           i < 2 ? "its number of channels is not 2 to 64" : "format 3");
        }
        seg_random random = seg_random_seeded(3, 3);
        for (int i = 0; i < 400; i++) { /* signed by whoever changed them */
            memcpy(bytes, made, size);
            const size_t within = i % 2 ? 700 : size;
            for (int n = 0; n < 1 + i % 3; n++)
                bytes[SEG_MODEL_HEADER + seg_random_below(&random, within - SEG_MODEL_HEADER - SEG_MODEL_CHECK)] =
                    (unsigned char)seg_random_below(&random, 256);
            sign(bytes, size);
            const seg_status status = seg_model_read_memory(&ctx, bytes, size, "f", &read);
            assert_true(status == SEG_OK || status == SEG_ERR_INPUT);
            if (status == SEG_OK && i % 20 == 0 && channels == 1) { /* what is read can be used */
                SCOPED_RESULT *result = NULL;
                SCOPED(scene) s = make(0, 60, 40);
                apply_model(&ctx, read, &s.photo, NULL, NULL, &result);
            }
            seg_model_free(read);
        }
    }
}

/* The smoothed posterior solves (D (1 + prior) - W) S = prior D P: by the residual. */
TEST(smoothing_solves_its_system) {
    enum { N = 60 };
    seg_matrix S;
    seg_laplacian *laplacian;
    size_t e = 0;
    SCOPED(seg_csr) W = new_csr(&ctx, N, N, 2 * (N - 2)); /* a path, and one node alone */
    for (int i = 0; i < N; i++) {
        W.start[i] = e;
        for (int j = i - 1; j <= i + 1; j += 2)
            if (j >= 0 && j < N - 1 && i < N - 1) {
                W.column[e] = j;
                W.value[e++] = 0.2 + 0.1 * ((i + j) % 7);
            }
    }
    W.start[N] = e;
    assert_ok(&ctx, seg_laplacian_create(&ctx, &W, &laplacian));
    SCOPED(seg_matrix) P = new_matrix(&ctx, N, 2);
    for (int i = 0; i < N; i++)
        P.at[2 * i + 1] = 1 - (P.at[2 * i] = (i * 37 % 11) / 10.0);
    for (double prior = 1; prior > 1e-3; prior /= 10) {
        assert_ok(&ctx, seg_posterior_smooth(&ctx, &W, laplacian, &P, prior, &S));
        for (int i = 0; i < N; i++) {
            double degree = 0, flow = 0;
            for (size_t j = W.start[i]; j < W.start[i + 1]; j++) {
                degree += W.value[j];
                flow += W.value[j] * S.at[2 * W.column[j]];
            }
            assert_near(degree * (1 + prior) * S.at[2 * i] - flow, prior * degree * P.at[2 * i], 1e-5);
            assert_near(S.at[2 * i] + S.at[2 * i + 1], 1, 1e-12);
        }
        assert_near(S.at[2 * (N - 1)], P.at[2 * (N - 1)], 1e-6);
        seg_matrix_free(&S);
    }
    seg_laplacian_free(laplacian);
}

TEST(a_session_has_the_bytes_of_a_call) {
    seg_result *a, *b;
    SCOPED_SESSION *session = NULL;
    seg_options options = seg_options_default();
    SCOPED(scene) s = make(4, WIDTH, HEIGHT);
    SCOPED_MODEL *model = learn(&s.ctx, 3);
    options.model = model;
    assert_ok(&s.ctx, seg_session_open(&s.ctx, &s.photo, &options, &session));
    for (int i = 0; i < 3; i++) { /* with strokes and without */
        const seg_mask *scribbles = i % 2 ? NULL : &s.scribbles;
        assert_ok(&s.ctx, seg_session_segment(&s.ctx, session, scribbles, NULL, &a));
        assert_ok(&s.ctx, apply_model(&s.ctx, model, &s.photo, scribbles, NULL, &b));
        assert_memory_equal(a->mask.label, b->mask.label, PIXELS);
        seg_result_free(a);
        seg_result_free(b);
    }
}
