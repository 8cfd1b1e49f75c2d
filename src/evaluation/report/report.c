/* The report: its tables for other programs, results.json, results.csv, timings.csv and clicks.csv, its figures and its
 * page. */
#include "evaluation/report/report.h"
#include "base/base.h"
#include "evaluation/figures/plot.h"
#include "evaluation/report/text.h"

#include <inttypes.h>

/* The arguments of every part. */
typedef struct contents {
    const seg_results *results;
    int timing; /* 0: without seconds and memory */
    const char *out;
} contents;

/* Put the columns of a table into an object. */
static void put_columns(const seg_results *results, const seg_standing *s, seg_table table, json_t *object) {
    for (int c = 0; c < SEG_COLUMNS; c++) {
        const seg_column *column = seg_results_column(results, c, table, 0);
        if (column && column->key)
            json_object_set_new(object, column->key,
                                isnan(s->value[c])      ? json_null()
                                : c == SEG_COLUMN_STEPS ? json_integer((json_int_t)s->value[c])
                                                        : json_real(s->value[c]));
    }
}

static json_t *method_json(const seg_results *results, int method) {
    const seg_standing *s = &results->standing[method];
    const int clicks = results->settings->clicks;
    json_t *object = json_pack("{s:s, s:I, s:I}", "method", results->settings->label[method], "images",
                               (json_int_t)s->value[SEG_COLUMN_IMAGES], "failed", (json_int_t)s->failed);
    if (!object || s->value[SEG_COLUMN_IMAGES] == 0)
        return object;
    put_columns(results, s, SEG_TABLE_JSON, object);
    json_object_set_new(object, "interval", json_pack("[f, f]", s->value[SEG_COLUMN_LOW], s->value[SEG_COLUMN_HIGH]));
    json_object_set_new(object, "worst_item", seg_json_text(s->worst, SEG_NAME_JSON));
    if (clicks) {
        json_t *values = json_object(), *iou = json_array(), *interval = json_array();
        for (int c = 0; c < clicks; c++) {
            json_array_append_new(iou, json_real(s->iou[c].mean));
            json_array_append_new(interval, json_pack("[f, f]", s->iou[c].low, s->iou[c].high));
        }
        put_columns(results, s, SEG_TABLE_CLICKS, values);
        json_object_set_new(values, "iou", iou);
        json_object_set_new(values, "iou_interval", interval);
        json_object_set_new(object, "clicks", values);
    }
    return object;
}

static seg_status comparisons(seg_context *ctx, const seg_results *results, json_t *array) {
    for (int a = 0; a < results->settings->labels; a++)
        for (int b = a + 1; b < results->settings->labels; b++) {
            seg_paired paired;
            SEG_TRY(seg_results_compare(ctx, results, a, b, &paired));
            json_array_append_new(array, json_pack("{s:s, s:s, s:I, s:I, s:I, s:f}", "a", results->settings->label[a],
                                                   "b", results->settings->label[b], "a_better",
                                                   (json_int_t)paired.above, "b_better", (json_int_t)paired.below,
                                                   "equal", (json_int_t)paired.tied, "wilcoxon_p", paired.p));
        }
    return SEG_OK;
}

static json_t *item_json(const seg_results *results, size_t number) {
    const seg_results_item *item = &results->item[number];
    json_t *object = seg_item_result_json(&item->result), *methods = json_object();
    for (int m = 0; m < item->result.attempts; m++) {
        const seg_attempt *one = &item->result.attempt[m];
        json_t *attempt = seg_attempt_json(one);
        json_object_del(attempt, "seconds");
        json_object_del(attempt, "memory");
        if (one->status == SEG_OK)
            json_object_set_new(attempt, "scored_share", json_real(seg_scored_share(&item->result, one)));
        json_object_set_new(methods, results->settings->label[m], attempt);
    }
    json_object_set_new(object, "item", seg_json_text(item->name, SEG_NAME_JSON));
    json_object_set_new(object, "methods", methods);
    return object;
}

static seg_status write_json(seg_context *ctx, const contents *report) {
    const seg_results *results = report->results;
    const seg_settings *settings = results->settings;
    json_t *methods = json_array(), *compared = json_array(), *items = json_array();
    const seg_status status = comparisons(ctx, results, compared);
    for (int m = 0; m < settings->labels; m++)
        json_array_append_new(methods, method_json(results, m));
    for (size_t i = 0; i < results->items; i++)
        json_array_append_new(items, item_json(results, i));
    json_t *object =
        json_pack("{s:s, s:s, s:o, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "program", "segment eval", "dataset",
                  settings->dataset, "title", seg_json_text(settings->title, SEG_NAME_JSON), "constraints",
                  seg_json_text(settings->source, SEG_NAME_JSON), "seed", (json_int_t)settings->seed, "scored",
                  (json_int_t)results->scored, "skipped", (json_int_t)results->skipped, "broken",
                  (json_int_t)results->broken, "methods", methods, "comparisons", compared, "items", items);
    if (object && *settings->how)
        json_object_set_new(object, "how", seg_json_text(settings->how, SEG_NAME_JSON));
    SEG_FREED char *text = seg_json_dump(object, JSON_INDENT(1));
    SEG_FREED char *path = seg_format(ctx, "%s/results.json", report->out);
    SEG_TRY(status);
    return text && path ? seg_file_write(ctx, path, text, strlen(text))
                        : seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing the results");
}

static void put_results(FILE *to, const seg_results *results, SEG_UNUSED int unused) {
    fputs("item,outcome,k,pairs,marked,method,accuracy,clustering_error,nmi,pairwise_f,dice,error,"
          "scored,scored_share,message\n",
          to);
    for (size_t i = 0; i < results->items; i++) {
        const seg_item_result *one = &results->item[i].result;
        for (int m = 0; m < one->attempts || m == 0; m++) {
            const seg_attempt *a = m < one->attempts ? &one->attempt[m] : NULL;
            seg_csv_put(to, results->item[i].name);
            fprintf(to, ",%s,%d,%zu,%zu,", a && a->status ? "failed" : seg_outcome_names[one->outcome], one->k,
                    one->pairs, one->marked);
            if (a)
                seg_csv_put(to, results->settings->label[m]);
            if (a && a->status == SEG_OK)
                fprintf(to, ",%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%" PRIu64 ",%.6f,", a->scores.pairwise_accuracy,
                        a->scores.clustering_error, a->scores.nmi, a->scores.pairwise_f, a->scores.mean_dice,
                        a->scores.error_rate, a->scores.scored, seg_scored_share(one, a));
            else
                fputs(",,,,,,,,,", to);
            seg_csv_put(to, a ? a->message : one->message);
            putc('\n', to);
        }
    }
}

/* The attempts of timings.csv, or of clicks.csv if `clicks`. */
static void put_attempts(FILE *to, const seg_results *results, int clicks) {
    fputs(clicks ? "item,method,click,iou\n" : "item,method,seconds,memory\n", to);
    for (size_t i = 0; i < results->items; i++)
        for (int m = 0; m < results->item[i].result.attempts; m++) {
            const seg_attempt *a = &results->item[i].result.attempt[m];
            for (int c = 0; c < (clicks ? a->curve_count : a->status == SEG_OK); c++) {
                seg_csv_put(to, results->item[i].name);
                putc(',', to);
                seg_csv_put(to, results->settings->label[m]);
                if (clicks)
                    fprintf(to, ",%d,%.6f\n", c + 1, a->curve[c]);
                else
                    fprintf(to, ",%.4f,%zu\n", a->seconds, a->memory);
            }
        }
}

static seg_status write_table(seg_context *ctx, const contents *report, const char *name,
                              void (*put)(FILE *, const seg_results *, int), int clicks) {
    seg_writer writer;
    SEG_TRY(seg_report_open(ctx, report->out, name, &writer));
    put(writer.file, report->results, clicks);
    return seg_writer_commit(ctx, &writer);
}

/* figures/: mean accuracies, and IoU against clicks, with the intervals of the means. */
static seg_status draw(seg_context *ctx, const contents *report, const char *name, const seg_panel *panel) {
    const double wide = 34.0 * report->results->settings->labels;
    const seg_figure figure = {
        .panel = panel, .panel_count = 1, .width = panel->x.category && wide > 190 ? wide : 260, .height = 180};
    return seg_figure_write(ctx, &figure, report->out, name);
}

static seg_status draw_figures(seg_context *ctx, const contents *report) {
    const seg_results *results = report->results;
    const size_t methods = (size_t)results->settings->labels, clicks = (size_t)results->settings->clicks;
    if (results->scored == 0)
        return SEG_OK; /* nothing to draw */
    SEG_LOCAL(seg_series, series, seg_alloc_zero(ctx, methods, sizeof *series));
    SEG_LOCAL(double, x, seg_alloc(ctx, clicks + 3 * methods * (clicks + 1), sizeof *x));
    double *y = x + clicks, *low = y + methods, *high = low + methods, *iou = high + methods;
    for (size_t c = 0; c < clicks; c++)
        x[c] = (double)(c + 1);
    for (size_t m = 0; m < methods; m++, iou += 3 * clicks) {
        const seg_standing *s = &results->standing[m];
        y[m] = s->value[SEG_COLUMN_MEAN];
        low[m] = s->value[SEG_COLUMN_LOW];
        high[m] = s->value[SEG_COLUMN_HIGH];
        for (size_t c = 0; c < clicks; c++) {
            iou[c] = s->iou[c].mean;
            iou[clicks + c] = s->iou[c].low;
            iou[2 * clicks + c] = s->iou[c].high;
        }
        series[m] = (seg_series){.name = results->settings->label[m],
                                 .count = clicks,
                                 .x = x,
                                 .y = iou,
                                 .low = iou + clicks,
                                 .high = iou + 2 * clicks,
                                 .style = (int)m};
    }
    const seg_series bars = {.count = methods, .y = y, .low = low, .high = high};
    const seg_panel accuracy = {.x = {.category = results->settings->label, .categories = methods},
                                .y = {.label = "mean pairwise accuracy"},
                                .series = &bars,
                                .series_count = 1};
    const seg_panel effort = {
        .x = {.label = "clicks"}, .y = {.label = "mean IoU"}, .series = series, .series_count = methods};
    SEG_TRY(draw(ctx, report, "figures/accuracy", &accuracy));
    return clicks ? draw(ctx, report, "figures/clicks", &effort) : SEG_OK;
}

/* --- report.html: tables and figures, followed by the images of the data set. --- */

static void put_head(FILE *to, const contents *report) {
    const seg_results *results = report->results;
    const seg_settings *settings = results->settings;
    seg_html_put_in(to,
                    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
                    settings->title, ": evaluation</title>\n<style>\n");
    seg_html_put_in(to, seg_report_style, "", "</style>\n</head>\n<body>\n<header>\n<h1>");
    seg_html_put_in(to, "", settings->title, "</h1>\n<p>");
    fprintf(to, "%zu image%s (%s), %d method%s. Constraints: ", results->scored, results->scored == 1 ? "" : "s",
            settings->dataset, settings->labels, settings->labels == 1 ? "" : "s");
    seg_html_put(to, settings->source);
    fputs(". Void pixels are not scored.", to);
    if (*settings->how)
        seg_html_put_in(to, " Every method with ", settings->how, ".");
    fputs("</p>\n<p class=\"soft\">Files: <a href=\"results.csv\">results.csv</a>, <a "
          "href=\"results.json\">results.json</a></p>\n",
          to);
    if (results->skipped || results->broken || results->failures)
        fprintf(to,
                "<p><a href=\"#left-out\">Skipped</a>: %zu images with fewer than two classes, %zu that could not be "
                "read; %zu runs of methods failed.</p>\n",
                results->skipped, results->broken, results->failures);
    fputs("</header>\n<main>\n", to);
}

static void put_table(FILE *to, const contents *report, seg_table table) {
    const seg_results *results = report->results;
    double best = -1;
    fprintf(to, "<div class=\"scroll\"><table id=\"%s\">\n<thead><tr><th>method</th>",
            table == SEG_TABLE_CLICKS ? "clicks" : "summary");
    for (int c = 0; c < SEG_COLUMNS; c++) {
        const seg_column *column = seg_results_column(results, c, table, report->timing);
        if (column)
            seg_html_put_in(to, "<th>", column->heading, "</th>");
    }
    fputs("<th>worst image</th></tr></thead>\n<tbody>\n", to);
    for (int m = 0; m < results->settings->labels; m++)
        best = fmax(best, results->standing[m].worst ? results->standing[m].value[SEG_COLUMN_MEAN] : -1);
    for (int m = 0; m < results->settings->labels; m++) {
        const seg_standing *s = &results->standing[m];
        seg_html_put_in(to, s->worst && s->value[SEG_COLUMN_MEAN] == best ? "<tr class=\"best\"><td>" : "<tr><td>",
                        results->settings->label[m], "</td>");
        for (int c = 0; c < SEG_COLUMNS; c++) {
            const seg_column *column = seg_results_column(results, c, table, report->timing);
            if (column && !isnan(s->value[c]) && (s->worst || c == SEG_COLUMN_IMAGES))
                fprintf(to, "<td>%.*f</td>", column->decimals, s->value[c]);
            else
                fputs(column ? "<td>&ndash;</td>" : "", to);
        }
        seg_html_put_in(to, "<td>", s->worst ? s->worst : "", "</td></tr>\n");
    }
    fputs("</tbody></table></div>\n", to);
}

static void put_summary(FILE *to, const contents *report) {
    const int timing = report->timing;
    fputs("<h2>Pairwise accuracy</h2>\n", to);
    put_table(to, report, SEG_TABLE_PAGE);
    fputs("<p class=\"soft\">The share of pixel pairs that mask and truth agree on. Low and high: 95 % interval of the "
          "mean, a bootstrap over images",
          to);
    fputs(timing ? "; seconds are the processor's, for the segmentation alone, and memory is the highest of the "
                   "process, means over images.</p>\n"
                 : ".</p>\n",
          to);
}

static void put_clicks(FILE *to, const contents *report) {
    const int clicks = report->results->settings->clicks;
    if (!clicks)
        return;
    fputs("<h2>Clicks</h2>\n", to);
    put_table(to, report, SEG_TABLE_CLICKS);
    fprintf(
        to,
        "<p class=\"soft\">NoC@90 is the mean number of clicks to an IoU of 0.9, %d where "
        "it is not reached; fail@90 counts those images. IoU@5 is the mean IoU after five clicks. Of the steps from "
        "the first mask to an IoU of 0.9, those that lowered the IoU by more than 0.05 and 0.2 are counted.</p>\n",
        clicks);
}

static seg_status put_comparison(seg_context *ctx, FILE *to, const contents *report) {
    const seg_results *results = report->results;
    const int methods = results->settings->labels;
    if (methods < 2)
        return SEG_OK;
    fputs("<h2>Method against method</h2>\n<div class=\"scroll\"><table id=\"comparison\">\n<thead><tr><th></th>", to);
    for (int b = 0; b < methods; b++)
        seg_html_put_in(to, "<th>", results->settings->label[b], "</th>");
    fputs("</tr></thead>\n<tbody>\n", to);
    for (int a = 0; a < methods; a++) {
        seg_html_put_in(to, "<tr><td>", results->settings->label[a], "</td>");
        for (int b = 0; b < methods; b++) {
            seg_paired paired;
            if (a == b) {
                fputs("<td>&middot;</td>", to);
                continue;
            }
            SEG_TRY(seg_results_compare(ctx, results, a, b, &paired));
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
    fputs("</tbody></table></div>\n<p class=\"soft\">Number of images on which the method of the row was better : the "
          "method of the column; p of Wilcoxon's signed-rank test, two-sided, not corrected for the number of "
          "comparisons. Blue "
          "and orange: p below 0.05, more or fewer images won.</p>\n",
          to);
    return SEG_OK;
}

static void put_figure(FILE *to, const char *name, const char *says) {
    fprintf(to, "<figure><img alt=\"%s\" src=\"figures/%s.svg\"><figcaption>%s</figcaption></figure>\n", says, name,
            says);
}

static void put_figures(FILE *to, const contents *report) {
    fputs("<h2>Figures</h2>\n<div class=\"figures\">\n", to);
    put_figure(to, "accuracy", "Mean accuracy with its 95 % bootstrap interval");
    if (report->results->settings->clicks)
        put_figure(to, "clicks", "Mean IoU against clicks, with 95 % bootstrap intervals");
    fputs("</div>\n", to);
}

static void put_line(FILE *to, const char *name, const char *label, const char *why) {
    seg_html_put_in(to, "<li><b>", name, "</b>");
    if (label)
        seg_html_put_in(to, ", ", label, "");
    seg_html_put_in(to, ": ", why, "</li>\n");
}

static void put_left_out(FILE *to, const contents *report) {
    const seg_results *results = report->results;
    if (!results->skipped && !results->broken && !results->failures)
        return;
    fputs("<h2 id=\"left-out\">Left out</h2>\n<ul>\n", to);
    for (size_t i = 0; i < results->items; i++) {
        const seg_item_result *one = &results->item[i].result;
        if (one->outcome != SEG_ITEM_SCORED)
            put_line(to, results->item[i].name, NULL, one->message);
        for (int m = 0; m < one->attempts; m++)
            if (one->attempt[m].status)
                put_line(to, results->item[i].name, results->settings->label[m], one->attempt[m].message);
    }
    fputs("</ul>\n", to);
}

/* JSON within a script element: nothing in it may look like a tag or a comment [HTML 4.12.1.3]. */
static void put_script(FILE *to, const char *json) {
    for (; *json; json++)
        if (strchr("<>&", *json))
            fprintf(to, "\\u%04x", (unsigned)*json);
        else
            putc(*json, to);
}

/* A file's name within a URL: every byte that is not a letter, a digit or one of -._~ is escaped [RFC 3986]. */
static json_t *address(seg_context *ctx, const char *name) {
    SEG_FREED char *text = seg_alloc(ctx, 3 * strlen(name) + 1, 1);
    char *end = text;
    for (; text && *name; name++) {
        const unsigned char c = (unsigned char)*name;
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~", c))
            *end++ = (char)c;
        else
            end += sprintf(end, "%%%02X", c);
    }
    if (text)
        *end = 0;
    return text ? json_string(text) : NULL;
}

static json_t *page_item(seg_context *ctx, const contents *report, size_t number) {
    const seg_results_item *item = &report->results->item[number];
    const seg_item_result *first = &item->result;
    json_t *methods = json_array();
    for (int m = 0; m < first->attempts; m++) {
        const seg_attempt *attempt = &first->attempt[m];
        json_t *one = json_object();
        json_array_append_new(methods, one);
        if (attempt->status)
            json_object_set_new(one, "e", seg_json_text(attempt->message, SEG_NAME_LINE));
        else
            json_object_set_new(one, "a", json_real(attempt->scores.pairwise_accuracy));
        if (*attempt->ran)
            json_object_set_new(one, "r", seg_json_text(attempt->ran, SEG_NAME_LINE));
    }
    return json_pack("{s:o, s:o, s:i, s:i, s:i, s:b, s:o}", "n", seg_json_text(item->name, SEG_NAME_LINE), "f",
                     address(ctx, item->name), "k", first->k, "w", first->width, "h", first->height, "s",
                     first->marked > 0, "m", methods);
}

/* Write the text of a JSON value, which is released. */
static seg_status put_json(seg_context *ctx, FILE *to, json_t *json) {
    SEG_FREED char *text = seg_json_dump(json, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    if (!text)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory while writing the page");
    put_script(to, text);
    return SEG_OK;
}

/* The images: their names and numbers as data in the page, which report.js draws with the images and masks of the
 * folder. Written item by item, so that memory does not grow with the data set. */
static seg_status put_items(seg_context *ctx, FILE *to, const contents *report) {
    const seg_settings *settings = report->results->settings;
    fputs(seg_report_viewer, to);
    fputs("<script>\nconst METHODS = [", to);
    for (int m = 0; m < settings->labels; m++) {
        fputs(m ? ", " : "", to);
        SEG_TRY(put_json(ctx, to, seg_json_text(settings->label[m], SEG_NAME_JSON)));
    }
    fputs("], ITEMS = [\n", to);
    for (size_t i = 0; i < report->results->items; i++) {
        if (report->results->item[i].result.outcome != SEG_ITEM_SCORED)
            continue;
        SEG_TRY(put_json(ctx, to, page_item(ctx, report, i)));
        fputs(",\n", to);
    }
    fputs("];\n</script>\n", to);
    return SEG_OK;
}

static seg_status write_page(seg_context *ctx, const contents *report) {
    SEG_RELEASED(seg_writer_abandon) seg_writer writer = {0};
    SEG_TRY(seg_report_open(ctx, report->out, "report.html", &writer));
    put_head(writer.file, report);
    put_clicks(writer.file, report);
    put_summary(writer.file, report);
    SEG_TRY(put_comparison(ctx, writer.file, report));
    if (report->results->scored) {
        put_figures(writer.file, report);
        SEG_TRY(put_items(ctx, writer.file, report));
    }
    put_left_out(writer.file, report);
    if (report->results->scored)
        fprintf(writer.file, "<script>\n%s</script>\n", seg_report_script);
    fputs("</main>\n</body>\n</html>\n", writer.file);
    return seg_writer_commit(ctx, &writer);
}

seg_status seg_report_write(seg_context *ctx, const seg_results *results, int timing, const char *out) {
    const contents all = {results, timing, out};
    SEG_TRY(write_table(ctx, &all, "results.csv", put_results, 0));
    if (timing)
        SEG_TRY(write_table(ctx, &all, "timings.csv", put_attempts, 0));
    if (results->settings->clicks)
        SEG_TRY(write_table(ctx, &all, "clicks.csv", put_attempts, 1));
    SEG_TRY(write_json(ctx, &all));
    SEG_TRY(draw_figures(ctx, &all));
    return write_page(ctx, &all);
}
