#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/learn/learn.h"

#include "evaluation/report/html.h"
#include "evaluation/report/thumbnail.h"

#include <segment/names.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_TEXT 96

/* "2 (cow)", or the number alone. */
static const char *label_text(const seg_model *model, int number, char text[LABEL_TEXT]) {
    seg_model_info about = {.labels = 1};
    snprintf(text, LABEL_TEXT, "%d", number);
    for (int i = 0; i < about.labels; i++) {
        seg_model_about(model, i, &about);
        if (about.label.number == number && about.label.name[0])
            snprintf(text, LABEL_TEXT, "%d (%s)", number, about.label.name);
    }
    return text;
}

/* A file name in the form in which it is printed; to be freed. */
static char *name_of(const cli_learned *learned, int image) {
    return seg_name_encode(learned->inputs->photos.at[image], SEG_NAME_LINE);
}

cli_end cli_learned_print(const cli_learned *learned) {
    FILE *to = strcmp(learned->options->model, "-") == 0 ? stderr : stdout;
    seg_model_info about;
    seg_model_about(learned->model, 0, &about);
    fprintf(to, "images %d\nlabels %d\n", about.images, about.labels);
    if (about.judged) {
        char *name = name_of(learned, about.worst);
        fprintf(to, "accuracy %.4f\nworst %.4f %s\n", about.accuracy, about.least, name ? name : "?");
        seg_free(name);
    } else {
        fprintf(to, "accuracy unknown: %s\n",
                about.labels < 2   ? "there is only one label"
                : about.images < 2 ? "there is only one image; its scribbles can be predicted only from another image"
                                   : "no label is in two images");
    }
    for (int i = 0; i < learned->suggestions; i++) {
        const seg_model_suggestion *s = &learned->suggestion[i];
        char one[LABEL_TEXT], other[LABEL_TEXT], *name = name_of(learned, s->image);
        fprintf(to, "stroke %d %s: x %d-%d, y %d-%d, label %s or %s, %.1f %% of the image\n", i + 1, name ? name : "?",
                s->region.left, s->region.right - 1, s->region.top, s->region.bottom - 1,
                label_text(learned->model, s->region.label, one),
                label_text(learned->model, s->region.runner_up, other), 100 * s->region.share);
        seg_free(name);
    }
    fprintf(to, "bytes %zu\n", learned->bytes);
    return cli_finish_output(CLI_OK);
}

static json_t *labels_json(const seg_model *model) {
    json_t *labels = json_array();
    seg_model_info about;
    seg_model_about(model, 0, &about);
    for (int i = 0; i < about.labels; i++) {
        const seg_model_label_info *label = &about.label;
        seg_model_about(model, i, &about);
        json_array_append_new(labels, json_pack("{s:i, s:o, s:o}", "label", label->number, "name",
                                                cli_json_text(label->name[0] ? label->name : NULL), "colour",
                                                cli_json_colour(label->colour)));
    }
    return labels;
}

cli_end cli_learned_json(const cli_learned *learned) {
    json_t *images = json_array(), *strokes = json_array();
    seg_model_info about;
    seg_model_about(learned->model, 0, &about);
    for (int i = 0; i < about.listed; i++) {
        seg_model_about(learned->model, i, &about);
        json_array_append_new(
            images, json_pack("{s:o, s:o, s:I, s:I, s:o}", "photo", cli_json_text(learned->inputs->photos.at[i]),
                              "scribbles", cli_json_text(learned->inputs->scribbles.at[i]), "marked_patches",
                              (json_int_t)about.image.marked, "judged_patches", (json_int_t)about.image.judged,
                              "accuracy", cli_json_real(about.image.accuracy)));
    }
    for (int i = 0; i < learned->suggestions; i++) {
        const seg_model_suggestion *s = &learned->suggestion[i];
        json_t *one = json_pack("{s:o}", "photo", cli_json_text(learned->inputs->photos.at[s->image]));
        json_object_update_new(one, cli_json_ambiguous(&s->region));
        json_array_append_new(strokes, one);
    }
    return cli_json_print(
        stdout,
        json_pack("{s:s, s:s, s:o, s:I, s:o, s:o, s:i, s:i, s:o, s:o, s:o, s:f, s:f, s:f, s:i, s:I, s:I, s:o}",
                  "program", "segment", "version", seg_version(), "model", cli_json_text(learned->options->model),
                  "bytes", (json_int_t)learned->bytes, "labels", labels_json(learned->model), "images", images,
                  "without_scribbles", learned->inputs->without, "judged_images", about.judged, "accuracy",
                  cli_json_real(about.accuracy), "worst_accuracy", cli_json_real(about.least), "worst_photo",
                  cli_json_text(about.worst >= 0 ? learned->inputs->photos.at[about.worst] : NULL), "sharpness",
                  about.sharpness, "smoothing", about.smoothing, "reach", about.reach, "trees", about.trees,
                  "feature_columns", (json_int_t)about.columns, "seed", (json_int_t)about.seed, "strokes", strokes));
}

/* --- The page. --- */

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

/* Cut out the region with a margin of its own size, framed by two pixels except along edges of the image. */
static seg_status cut_out(seg_context *ctx, const seg_image *photo, const seg_ambiguous_region *r, seg_image *out) {
    const int around = most(most(r->right - r->left, r->bottom - r->top) / 2, 20);
    const int left = most(r->left - around, 0), right = least(r->right + around, photo->width);
    const int top = most(r->top - around, 0), bottom = least(r->bottom + around, photo->height);
    const size_t pixel = 3 * (size_t)(photo->depth / 8), stride = pixel * (size_t)photo->width;
    const char *from = (const char *)photo->data + (size_t)top * stride + (size_t)left * pixel;
    const seg_status status =
        seg_image_create(ctx, from, right - left, bottom - top, 3, photo->depth == 8 ? SEG_SAMPLE_U8 : SEG_SAMPLE_U16,
                         (ptrdiff_t)stride, out);
    if (status != SEG_OK)
        return status;
    out->low = photo->low;
    out->high = photo->high;
    const int width = most(1, most(out->width, out->height) / 160);
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            const int u = most(r->left - left - x, x - (r->right - 1 - left));
            const int v = most(r->top - top - y, y - (r->bottom - 1 - top)), outside = most(u, v);
            const size_t at = 3 * ((size_t)y * (size_t)out->width + (size_t)x);
            if (outside < 1 || outside > 2 * width)
                continue;
            for (size_t c = 0; c < 3; c++) { /* dark beside light: visible on any background */
                if (out->depth == 8)
                    ((uint8_t *)out->data)[at + c] = outside > width ? 0 : 255;
                else
                    ((uint16_t *)out->data)[at + c] = (uint16_t)(outside > width ? out->low : out->high);
            }
        }
    return status;
}

static seg_status put_picture(seg_context *ctx, const cli_learned *learned, int i, FILE *page) {
    const seg_model_suggestion *s = &learned->suggestion[i];
    const char *path = learned->inputs->photos.at[s->image];
    seg_image photo = {0}, part = {0};
    char one[LABEL_TEXT], other[LABEL_TEXT], *uri = NULL;
    char *name = seg_html_text(path), *first = seg_html_text(label_text(learned->model, s->region.label, one)),
         *second = seg_html_text(label_text(learned->model, s->region.runner_up, other));
    seg_status status = name && first && second ? seg_image_read(ctx, path, &photo) : SEG_ERR_MEMORY;
    if (status == SEG_OK)
        status = cut_out(ctx, &photo, &s->region, &part);
    if (status == SEG_OK && !(uri = seg_thumbnail_photo(ctx, &part)))
        status = SEG_ERR_MEMORY;
    if (status == SEG_OK)
        fprintf(page,
                "<figure><img src=\"%s\" alt=\"\"><figcaption>%d. %s<br>x %d&ndash;%d, y %d&ndash;%d: label %s or %s, "
                "%.1f %% of the image</figcaption></figure>\n",
                uri, i + 1, name, s->region.left, s->region.right - 1, s->region.top, s->region.bottom - 1, first,
                second, 100 * s->region.share);
    free(uri);
    free(name);
    free(first);
    free(second);
    seg_image_free(&part);
    seg_image_free(&photo);
    return status;
}

static seg_status put_table(const cli_learned *learned, FILE *page) {
    seg_model_info about;
    seg_model_about(learned->model, 0, &about);
    fprintf(page,
            "<p>%d images, %d labels. The accuracy is the share of an image's marked patches that a model of the other "
            "images predicts correctly.</p>\n<table><tr><th>image</th><th>marked patches</th><th>accuracy</th></tr>\n",
            about.images, about.labels);
    for (int i = 0; i < about.listed; i++) {
        seg_model_about(learned->model, i, &about);
        char *name = seg_html_text(learned->inputs->photos.at[i]), accuracy[32] = "&ndash;";
        if (!name)
            return SEG_ERR_MEMORY;
        if (!isnan(about.image.accuracy))
            snprintf(accuracy, sizeof accuracy, "%.4f", about.image.accuracy);
        fprintf(page, "<tr%s><td>%s</td><td>%zu</td><td>%s</td></tr>\n", i == about.worst ? " class=\"worst\"" : "",
                name, about.image.marked, accuracy);
        free(name);
    }
    fputs("</table>\n", page);
    return SEG_OK;
}

cli_end cli_learned_page(seg_context *ctx, const cli_learned *learned) {
    char *text = NULL;
    size_t size;
    FILE *page = open_memstream(&text, &size);
    if (!page)
        return cli_out_of_memory();
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Learned model</title>\n<style>\n"
          "body{font:15px/1.4 sans-serif;margin:2em auto;max-width:70em;padding:0 1em}\n"
          "table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}\n"
          ".worst{font-weight:bold}figure{display:inline-block;vertical-align:top;margin:0 1em 1em 0;width:320px}\n"
          "img{max-width:320px}figcaption{font-size:13px;overflow-wrap:anywhere}\n</style></head><body>\n"
          "<h1>What was learned</h1>\n",
          page);
    seg_status status = put_table(learned, page);
    fprintf(page, "<h2>Where a stroke would help most</h2>\n%s",
            learned->suggestions ? "" : "<p>There is no ambiguous region.</p>\n");
    for (int i = 0; i < learned->suggestions && status == SEG_OK; i++)
        status = put_picture(ctx, learned, i, page);
    fputs("</body></html>\n", page);
    const int lost = ferror(page);
    if ((fclose(page) != 0 || lost) && status == SEG_OK)
        status = SEG_ERR_MEMORY;
    if (status == SEG_OK)
        status = seg_file_write(ctx, learned->options->report, text, size);
    free(text);
    return status == SEG_OK ? CLI_GO_ON : cli_fail(ctx, status, CLI_WRITING);
}
