/* report.html: one file that needs no other. Tables and figures stand in it ready; the panels are drawn by report.js
 * from data in the page. Written item by item, so that memory does not grow with the data set. */
#include "base/base.h"
#include "base/name_text.h"
#include "evaluation/embedded.h"
#include "evaluation/layout.h"
#include "evaluation/report.h"
#include "evaluation/thumbnail.h"
#include "image/file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names may hold any byte: they are shown as a line has them. */
static void put_text(FILE *to, const char *text) {
    char piece[SEG_NAME_PIECE];
    size_t size;
    while (*text) {
        text += seg_name_piece(text, SEG_NAME_LINE, piece, &size);
        switch (*piece) {
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '&':
            fputs("&amp;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        default:
            fwrite(piece, 1, size, to);
        }
    }
}

/* JSON within a script element: nothing in it may look like a tag or a comment [HTML 4.12.1.3]. */
static void put_script(FILE *to, const char *json) {
    for (; *json; json++)
        if (strchr("<>&", *json))
            fprintf(to, "\\u%04x", (unsigned)*json);
        else
            putc(*json, to);
}

/* A name, or a sentence with names in it, as the page shows it. */
static json_t *shown(const char *text) {
    char *line = seg_name_encode(text, SEG_NAME_LINE);
    json_t *string = line ? json_string(line) : NULL;
    free(line);
    return string;
}

static void put_head(FILE *to, const seg_report *report) {
    const seg_results *results = report->results;
    const seg_settings *settings = &results->settings;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          to);
    put_text(to, settings->title);
    fprintf(to, ": evaluation</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>", seg_report_style);
    put_text(to, settings->title);
    fputs("</h1>\n<p>", to);
    fprintf(to, "%zu image%s (%s), %d method%s. Constraints: ", results->scored, results->scored == 1 ? "" : "s",
            settings->dataset, settings->labels, settings->labels == 1 ? "" : "s");
    put_text(to, settings->source);
    fprintf(to, ". Void is %s.", settings->void_is);
    if (settings->repeats > 1)
        fprintf(to, " Each image %d times, with other random choices; numbers are means.", settings->repeats);
    fputs("</p>\n<p class=\"soft\">Files: <a href=\"results.csv\">results.csv</a>, <a "
          "href=\"results.json\">results.json</a>, <a href=\"table.tex\">table.tex</a>, <a "
          "href=\"figures/panel.pdf\">figures/panel.pdf</a></p>\n",
          to);
    if (results->skipped || results->broken || results->failures)
        fprintf(to,
                "<p><a href=\"#left-out\">Left out</a>: %zu with fewer than two classes, %zu that could not be read; "
                "%zu attempts of methods failed.</p>\n",
                results->skipped, results->broken, results->failures);
    fputs("</header>\n<main>\n", to);
}

static void put_summary(FILE *to, const seg_report *report) {
    const seg_settings *settings = &report->results->settings;
    const int timing = report->options->timing, simulated = settings->corrections > 0;
    double best = -1;
    for (int m = 0; m < settings->labels; m++)
        best = fmax(best, report->standing[m].accuracy.count ? report->standing[m].accuracy.mean : -1);
    fputs("<h2>Pairwise accuracy</h2>\n<div class=\"scroll\"><table id=\"summary\">\n<thead><tr><th>method</th>"
          "<th>images</th><th>mean</th><th>95 % interval</th><th>median</th><th>worst</th><th>worst image</th>"
          "<th>Dice</th>",
          to);
    fprintf(to, "%s%s</tr></thead>\n<tbody>\n", simulated ? "<th>strokes for 0.95</th><th>reached it</th>" : "",
            timing ? "<th>seconds</th><th>MB</th>" : "");
    for (int m = 0; m < settings->labels; m++) {
        const seg_standing *s = &report->standing[m];
        fprintf(to, "<tr%s><td>", s->accuracy.count && s->accuracy.mean == best ? " class=\"best\"" : "");
        put_text(to, settings->label[m]);
        fprintf(to, "</td><td>%zu</td>", s->accuracy.count);
        if (s->accuracy.count) {
            fprintf(to, "<td>%.4f</td><td>%.4f &ndash; %.4f</td><td>%.4f</td><td>%.4f</td><td>", s->accuracy.mean,
                    s->low, s->high, s->accuracy.median, s->accuracy.least);
            put_text(to, s->worst);
            fprintf(to, "</td><td>%.4f</td>", s->dice);
        } else {
            fputs("<td>failed</td><td></td><td></td><td></td><td></td><td></td>", to);
        }
        if (simulated && s->goal)
            fprintf(to, "<td>%g</td><td>%zu</td>", s->strokes, s->goal);
        else if (simulated)
            fputs("<td>&ndash;</td><td>0</td>", to);
        if (timing)
            fprintf(to, "<td>%.3f</td><td>%.0f</td>", s->seconds, s->memory);
        fputs("</tr>\n", to);
    }
    fputs(
        "</tbody></table></div>\n<p class=\"soft\">The share of pixel pairs that mask and truth agree on. The interval "
        "is a bootstrap over images",
        to);
    fputs(simulated ? "; strokes are the median over the images that reached 0.95" : "", to);
    fputs(timing ? "; seconds are the processor's, for the segmentation alone, and memory is the highest of the "
                   "process, means over images.</p>\n"
                 : ".</p>\n",
          to);
}

static seg_status put_comparison(seg_context *ctx, FILE *to, const seg_report *report) {
    const seg_results *results = report->results;
    const int methods = results->settings.labels;
    seg_status status = SEG_OK;
    if (methods < 2)
        return SEG_OK;
    fputs("<h2>Method against method</h2>\n<div class=\"scroll\"><table id=\"comparison\">\n<thead><tr><th></th>", to);
    for (int b = 0; b < methods; b++) {
        fputs("<th>", to);
        put_text(to, results->settings.label[b]);
        fputs("</th>", to);
    }
    fputs("</tr></thead>\n<tbody>\n", to);
    for (int a = 0; a < methods && status == SEG_OK; a++) {
        fputs("<tr><td>", to);
        put_text(to, results->settings.label[a]);
        fputs("</td>", to);
        for (int b = 0; b < methods && status == SEG_OK; b++) {
            seg_paired paired;
            if (a == b) {
                fputs("<td>&middot;</td>", to);
                continue;
            }
            status = seg_results_compare(ctx, results, a, b, &paired);
            const char *class = paired.p >= 0.05              ? ""
                                : paired.above > paired.below ? " class=\"win\""
                                                              : " class=\"loss\"";
            fprintf(to, "<td%s>%zu : %zu<small>", class, paired.above, paired.below);
            if (paired.p < 0.0001)
                fputs("p &lt; 0.0001", to);
            else
                fprintf(to, "p = %.4f", paired.p);
            fputs("</small></td>", to);
        }
        fputs("</tr>\n", to);
    }
    fputs(
        "</tbody></table></div>\n<p class=\"soft\">Images on which the method of the line was better : the method "
        "of the column; p of Wilcoxon's signed-rank test, two-sided, not corrected for the number of comparisons. Blue "
        "and orange: p below 0.05, more or fewer images won.</p>\n",
        to);
    return status;
}

static seg_status put_figure(seg_context *ctx, FILE *to, const seg_report *report, const char *name, const char *says) {
    char *path = seg_format(ctx, "%s/figures/%s.svg", report->out, name);
    char *uri = path ? seg_thumbnail_file(ctx, path, "image/svg+xml") : NULL;
    if (uri)
        fprintf(to, "<figure><img alt=\"%s\" src=\"%s\"><figcaption>%s</figcaption></figure>\n", says, uri, says);
    free(path);
    free(uri);
    return uri ? SEG_OK : SEG_ERR_IO;
}

static seg_status put_figures(seg_context *ctx, FILE *to, const seg_report *report) {
    fputs("<h2>Figures</h2>\n<div class=\"figures\">\n", to);
    seg_status status = put_figure(ctx, to, report, "accuracy", "Accuracy over the images: quartiles, whiskers, mean");
    if (status == SEG_OK && report->options->timing)
        status = put_figure(ctx, to, report, "time", "Mean accuracy against time");
    if (status == SEG_OK && report->results->settings.corrections)
        status = put_figure(ctx, to, report, "strokes", "Accuracy against the simulated user's corrections");
    fputs("</div>\n", to);
    return status;
}

/* Add the small picture of a mask to an object. */
static seg_status add_mask(seg_context *ctx, const seg_report *report, const char *label, const char *name, int clear,
                           const char *key, json_t *object) {
    seg_mask mask;
    seg_status status = seg_layout_read_mask(ctx, report->out, label, name, &mask);
    if (status)
        return status;
    char *uri = seg_thumbnail_mask(ctx, &mask, clear);
    if (!uri || json_object_set_new(object, key, json_string(uri)) != 0)
        status = SEG_ERR_MEMORY;
    free(uri);
    seg_mask_free(&mask);
    return status;
}

static seg_status add_photo(seg_context *ctx, const seg_report *report, const char *name, json_t *object) {
    seg_image photo;
    char *uri = NULL;
    seg_status status = seg_layout_read_photo(ctx, report->out, name, &photo);
    if (status == SEG_OK) {
        uri = seg_thumbnail_photo(ctx, &photo);
        if (!uri || json_object_set_new(object, "p", json_string(uri)) != 0)
            status = SEG_ERR_MEMORY;
        seg_image_free(&photo);
    }
    free(uri);
    return status;
}

/* The object of an item; *out may be set on failure, too. */
static seg_status item_object(seg_context *ctx, const seg_report *report, size_t number, json_t **out) {
    const seg_results_item *item = &report->results->item[number];
    const seg_item_result *first = &item->repeat[0];
    json_t *methods = json_array();
    *out = json_pack("{s:o, s:i, s:i, s:i, s:o}", "n", shown(item->name), "k", first->k, "w", first->width, "h",
                     first->height, "m", methods);
    if (!*out)
        return SEG_ERR_MEMORY;
    seg_status status = add_photo(ctx, report, item->name, *out);
    if (status == SEG_OK && first->marked)
        status = add_mask(ctx, report, "scribbles", item->name, 0, "s", *out);
    if (status == SEG_OK)
        status = add_mask(ctx, report, "truth", item->name, -1, "t", *out);
    for (int m = 0; m < first->attempts && status == SEG_OK; m++) {
        const seg_attempt *attempt = &first->attempt[m];
        json_t *one = json_object();
        json_array_append_new(methods, one);
        if (attempt->status) {
            json_object_set_new(one, "e", shown(attempt->message));
            continue;
        }
        json_object_set_new(one, "a", json_real(attempt->scores.pairwise_accuracy));
        status = add_mask(ctx, report, report->results->settings.label[m], item->name, -1, "d", one);
    }
    return status;
}

static seg_status put_items(seg_context *ctx, FILE *to, const seg_report *report) {
    const seg_settings *settings = &report->results->settings;
    seg_status status = SEG_OK;
    fputs("<h2>Images</h2>\n<div class=\"controls\">\n"
          "<label>Accuracy of <select id=\"by\"></select></label>\n"
          "<label>Order <select id=\"order\"><option value=\"worst\">worst first</option><option value=\"best\">best "
          "first</option><option value=\"name\">by name</option></select></label>\n"
          "<label>Regions <select id=\"k\"><option value=\"\">any</option></select></label>\n"
          "<label>At least <input id=\"least\" type=\"number\" min=\"0\" max=\"1\" step=\"0.05\" "
          "placeholder=\"0\"></label>\n"
          "<label>At most <input id=\"most\" type=\"number\" min=\"0\" max=\"1\" step=\"0.05\" "
          "placeholder=\"1\"></label>\n"
          "<label>Name <input id=\"name\" type=\"search\" size=\"12\"></label>\n"
          "<label>Strength of masks <input id=\"strength\" type=\"range\" min=\"0\" max=\"1\" step=\"0.05\" "
          "value=\"0.65\"></label>\n"
          "</div>\n<p class=\"soft\" id=\"count\" aria-live=\"polite\"></p>\n<div id=\"items\"></div>\n"
          "<button id=\"more\" type=\"button\" hidden>More</button>\n",
          to);
    if (settings->repeats > 1)
        fputs("<p class=\"soft\">The pictures and their numbers are those of the first repeat.</p>\n", to);
    fputs("<script>\nconst METHODS = [", to);
    for (int m = 0; m < settings->labels; m++) {
        json_t *label = seg_json_text(settings->label[m]);
        char *text = label ? json_dumps(label, JSON_ENCODE_ANY | JSON_ENSURE_ASCII) : NULL;
        if (!text)
            status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing report.html");
        fputs(m ? ", " : "", to);
        put_script(to, text ? text : "\"\"");
        free(text);
        json_decref(label);
    }
    fputs("], ITEMS = [\n", to);
    for (size_t i = 0; i < report->results->items && status == SEG_OK; i++) {
        json_t *object = NULL;
        if (report->results->item[i].repeat[0].outcome != SEG_ITEM_SCORED)
            continue;
        errno = 0; /* Jansson leaves out what it has no memory for; only malloc tells */
        status = item_object(ctx, report, i, &object);
        char *text = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
        json_decref(object);
        if (status == SEG_OK && (!text || errno == ENOMEM))
            status = seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing report.html");
        if (status == SEG_OK)
            put_script(to, text);
        fputs(",\n", to);
        free(text);
    }
    fputs("];\n</script>\n", to);
    return status;
}

static void put_line(FILE *to, const char *name, const char *label, const char *why) {
    fputs("<li><b>", to);
    put_text(to, name);
    fputs("</b>", to);
    if (label) {
        fputs(", ", to);
        put_text(to, label);
    }
    fputs(": ", to);
    put_text(to, why);
    fputs("</li>\n", to);
}

static void put_left_out(FILE *to, const seg_report *report) {
    const seg_results *results = report->results;
    if (!results->skipped && !results->broken && !results->failures)
        return;
    fputs("<h2 id=\"left-out\">Left out</h2>\n<ul>\n", to);
    for (size_t i = 0; i < results->items; i++)
        for (int r = 0; r < results->item[i].repeats; r++) {
            const seg_item_result *one = &results->item[i].repeat[r];
            if (one->outcome != SEG_ITEM_SCORED && r == 0)
                put_line(to, results->item[i].name, NULL, one->message);
            for (int m = 0; m < one->attempts; m++)
                if (one->attempt[m].status)
                    put_line(to, results->item[i].name, results->settings.label[m], one->attempt[m].message);
        }
    fputs("</ul>\n", to);
}

seg_status seg_report_html(seg_context *ctx, const seg_report *report) {
    seg_writer writer;
    char *path = seg_format(ctx, "%s/report.html", report->out);
    seg_status status = path ? seg_writer_open(ctx, path, &writer) : SEG_ERR_MEMORY;
    if (status == SEG_OK) {
        put_head(writer.file, report);
        put_summary(writer.file, report);
        status = put_comparison(ctx, writer.file, report);
        if (status == SEG_OK && report->results->scored)
            status = put_figures(ctx, writer.file, report);
        if (status == SEG_OK && report->results->scored)
            status = put_items(ctx, writer.file, report);
        put_left_out(writer.file, report);
        if (report->results->scored)
            fprintf(writer.file, "<script>\n%s</script>\n", seg_report_script);
        fputs("</main>\n</body>\n</html>\n", writer.file);
        if (status == SEG_OK)
            status = seg_writer_commit(ctx, &writer);
        else
            seg_writer_abandon(&writer);
    }
    free(path);
    return status;
}
