/* report.html: tables and figures, followed by the images of the data set. */
#include "base/base.h"
#include "evaluation/report/report.h"
#include "evaluation/report/text.h"

static void put_head(FILE *to, const seg_report *report) {
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

static void put_table(FILE *to, const seg_report *report, unsigned table) {
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

static void put_summary(FILE *to, const seg_report *report) {
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

static void put_clicks(FILE *to, const seg_report *report) {
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

static seg_status put_comparison(seg_context *ctx, FILE *to, const seg_report *report) {
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
          "comparisons. Blue and orange: p below 0.05, more or fewer images won.</p>\n",
          to);
    return SEG_OK;
}

static void put_figure(FILE *to, const char *name, const char *says) {
    fprintf(to, "<figure><img alt=\"%s\" src=\"figures/%s.svg\"><figcaption>%s</figcaption></figure>\n", says, name,
            says);
}

static void put_line(FILE *to, const char *name, const char *label, const char *why) {
    seg_html_put_in(to, "<li><b>", name, "</b>");
    if (label)
        seg_html_put_in(to, ", ", label, "");
    seg_html_put_in(to, ": ", why, "</li>\n");
}

static void put_left_out(FILE *to, const seg_report *report) {
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
    SEG_FREED char *text = seg_alloc_zero(ctx, 3 * strlen(name) + 1, 1);
    char *end = text;
    for (; text && *name; name++) {
        const unsigned char c = (unsigned char)*name;
        const int plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("-._~", c) != NULL;
        end += sprintf(end, plain ? "%c" : "%%%02X", c);
    }
    return text ? json_string(text) : NULL;
}

static json_t *item_object(seg_context *ctx, const seg_report *report, size_t number) {
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
static seg_status put_items(seg_context *ctx, FILE *to, const seg_report *report) {
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
        SEG_TRY(put_json(ctx, to, item_object(ctx, report, i)));
        fputs(",\n", to);
    }
    fputs("];\n</script>\n", to);
    return SEG_OK;
}

seg_status seg_report_html(seg_context *ctx, const seg_report *report) {
    SEG_RELEASED(seg_writer_abandon) seg_writer writer = {0};
    SEG_TRY(seg_report_open(ctx, report->out, "report.html", &writer));
    put_head(writer.file, report);
    put_clicks(writer.file, report);
    put_summary(writer.file, report);
    SEG_TRY(put_comparison(ctx, writer.file, report));
    if (report->results->scored) {
        fputs("<h2>Figures</h2>\n<div class=\"figures\">\n", writer.file);
        put_figure(writer.file, "accuracy", "Mean accuracy with its 95 % bootstrap interval");
        if (report->results->settings->clicks)
            put_figure(writer.file, "clicks", "Mean IoU against clicks, with 95 % bootstrap intervals");
        fputs("</div>\n", writer.file);
        SEG_TRY(put_items(ctx, writer.file, report));
    }
    put_left_out(writer.file, report);
    if (report->results->scored)
        fprintf(writer.file, "<script>\n%s</script>\n", seg_report_script);
    fputs("</main>\n</body>\n</html>\n", writer.file);
    return seg_writer_commit(ctx, &writer);
}
