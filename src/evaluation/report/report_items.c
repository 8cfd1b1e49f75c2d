/* The images of report.html: their names and numbers as data in the page, which report.js draws with the images and
 * masks of the folder. Written item by item, so that memory does not grow with the data set. */
#include "base/base.h"
#include "evaluation/report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
    SEG_FREED char *text = seg_json_dump(ctx, json, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    if (!text)
        return SEG_ERR_MEMORY;
    put_script(to, text);
    return SEG_OK;
}

seg_status seg_report_items(seg_context *ctx, FILE *to, const seg_report *report) {
    const seg_settings *settings = report->results->settings;
    fputs(
        "<h2>Images</h2>\n<div class=\"controls\">\n"
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
        "<button id=\"more\" type=\"button\" hidden>More</button>\n"
        "<svg width=\"0\" height=\"0\"><filter id=\"ink\" color-interpolation-filters=\"sRGB\"><feColorMatrix values=\""
        "1 0 0 0 0  0 1 0 0 0  0 0 1 0 0  99 99 99 0 0\"/></filter></svg>\n",
        to);
    fputs("<dialog id=\"view\" aria-labelledby=\"title\">\n<header><h3 id=\"title\"></h3><span id=\"facts\" "
          "aria-live=\"polite\"></span><button id=\"shut\" type=\"button\">Close</button></header>\n"
          "<div id=\"stage\"></div>\n<footer>"
          "<button id=\"previous\" type=\"button\">Previous</button> <button id=\"following\" "
          "type=\"button\">Next</button>\n"
          "<label>Show <select id=\"what\"></select></label>\n"
          "<label><input id=\"difference\" type=\"checkbox\"> Differences</label>\n"
          "<label><input id=\"strokes\" type=\"checkbox\" checked> Strokes</label>\n"
          "<label>Strength <input id=\"opacity\" type=\"range\" min=\"0\" max=\"1\" step=\"0.05\" "
          "value=\"0.65\"></label>\n"
          "<small>Keys: &larr; &rarr; image, &uarr; &darr; or 1 2 3 ... what is shown, D differences, S strokes, Esc "
          "close</small></footer>\n</dialog>\n",
          to);
    fputs("<script>\nconst METHODS = [", to);
    for (int m = 0; m < settings->labels; m++) {
        errno = 0;
        fputs(m ? ", " : "", to);
        SEG_TRY(put_json(ctx, to, seg_json_text(settings->label[m], SEG_NAME_JSON)));
    }
    fputs("], ITEMS = [\n", to);
    for (size_t i = 0; i < report->results->items; i++) {
        if (report->results->item[i].result.outcome != SEG_ITEM_SCORED)
            continue;
        errno = 0;
        SEG_TRY(put_json(ctx, to, item_object(ctx, report, i)));
        fputs(",\n", to);
    }
    fputs("];\n</script>\n", to);
    return SEG_OK;
}
