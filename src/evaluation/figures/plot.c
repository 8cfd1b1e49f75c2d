/* Layout and drawing of a figure. The widths of texts are estimated, since the viewer chooses the font. */
#include "evaluation/figures/plot.h"
#include "base/base.h"
#include "evaluation/report/text.h"

#define FONT      7.5
#define TITLE     8.5
#define LINE      (FONT * 1.35)
#define MARGIN    5.0
#define GAP       10.0
#define KEY_WIDTH 18.0
#define TICK      3.0 /* length */
#define MARKER    2.4 /* radius */
#define SLANT     0.6 /* radians, of the names of long categories */
#define DEGREES   (180 / M_PI)

enum { STYLES = 8 };

/* What is drawn, and the sizes that all panels share, so that their areas align. */
typedef struct page {
    FILE *to;
    const seg_figure *figure;
    size_t columns;
    double width, height; /* of an area */
    double left, below;   /* room beside and below an area */
    double total_width;
} page;

/* A palette for colour-blind readers [okabe2008]. */
static const char *const palette[STYLES] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#262626", "#8c8c8c"};

static const char *colour_of(const seg_series *series) {
    return palette[series->style % STYLES];
}

/* --- Scales. --- */

static double scaled(const seg_plot_scale *scale, double value) {
    return scale->logarithmic ? log10(value) : value;
}

double seg_plot_x(const seg_frame *frame, double x) {
    return frame->left + frame->width * (x - frame->x.from) / (frame->x.to - frame->x.from);
}

double seg_plot_y(const seg_frame *frame, double y) {
    return frame->top + frame->height * (1 - (scaled(&frame->y, y) - frame->y.from) / (frame->y.to - frame->y.from));
}

static void add_tick(seg_plot_scale *scale, double at, double value, int decimals) {
    const double slack = 1e-9 * (scale->to - scale->from);
    if (scale->ticks == SEG_PLOT_TICKS || !(at >= scale->from - slack && at <= scale->to + slack))
        return;
    scale->tick[scale->ticks] = at;
    const int rounded = fabs(value) >= 1e6 || (value != 0 && fabs(value) < 1e-4);
    snprintf(scale->text[scale->ticks++], SEG_PLOT_TEXT, rounded ? "%.*g" : "%.*f", rounded ? 3 : decimals, value);
}

/* Steps of 1, 2 or 5 times a power of ten, four to eight of them. */
static void linear_ticks(seg_plot_scale *scale) {
    const double raw = (scale->to - scale->from) / 5, power = pow(10, floor(log10(raw))), rest = raw / power;
    const double step = power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
    const int decimals = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;
    for (double t = ceil(scale->from / step - 1e-9);
         t * step <= scale->to + 1e-9 * step && scale->ticks < SEG_PLOT_TICKS; t++)
        add_tick(scale, t * step, fabs(t) < 0.5 ? 0 : t * step, decimals);
}

/* Powers of ten, and 2 and 5 times these if there are few. */
static void logarithmic_ticks(seg_plot_scale *scale) {
    static const int between[] = {1, 2, 5};
    const int first = (int)floor(scale->from), last = (int)ceil(scale->to), fine = scale->to - scale->from < 2.5;
    for (int power = first; power <= last; power += (last - first) / 8 + 1)
        for (int b = 0; b < (fine ? 3 : 1); b++) {
            const double value = between[b] * pow(10, power);
            add_tick(scale, log10(value), value, power < 0 ? -power : 0);
        }
}

void seg_plot_ticks(seg_plot_scale *scale) {
    scale->ticks = 0;
    if (scale->logarithmic)
        logarithmic_ticks(scale);
    else
        linear_ticks(scale);
}

static void stretch(const seg_axis *axis, double value, double *least, double *most) {
    if (!isfinite(value) || (axis->logarithmic && value <= 0))
        return;
    *least = fmin(*least, value);
    *most = fmax(*most, value);
}

static void set_scale(const seg_axis *axis, double least, double most, double margin, seg_plot_scale *scale) {
    memset(scale, 0, sizeof *scale);
    scale->logarithmic = axis->logarithmic;
    if (least > most) {
        scale->to = 1;
    } else {
        scale->from = scaled(scale, least);
        scale->to = scaled(scale, most);
        const double room = scale->to > scale->from ? margin * (scale->to - scale->from)
                            : scale->to != 0        ? 0.1 * fabs(scale->to)
                                                    : 0.5;
        /* No margin below zero for values that are never negative. */
        scale->from = least >= 0 && !scale->logarithmic ? fmax(scale->from - room, 0) : scale->from - room;
        scale->to += room;
    }
    seg_plot_ticks(scale);
}

void seg_plot_scales(const seg_panel *panel, seg_frame *frame) {
    double x_least = INFINITY, x_most = -INFINITY, y_least = INFINITY, y_most = -INFINITY;
    const int categorical = panel->x.category != NULL;
    for (size_t s = 0; s < panel->series_count; s++) {
        const seg_series *series = &panel->series[s];
        for (size_t i = 0; i < series->count; i++) {
            if (!categorical && !isnan(series->y[i]))
                stretch(&panel->x, series->x[i], &x_least, &x_most);
            stretch(&panel->y, series->y[i], &y_least, &y_most);
            if (series->low && series->high) {
                stretch(&panel->y, series->low[i], &y_least, &y_most);
                stretch(&panel->y, series->high[i], &y_least, &y_most);
            }
        }
    }
    if (categorical && y_least <= y_most) {
        y_least = fmin(y_least, 0); /* bars stand on zero */
        y_most = fmax(y_most, 0);
    }
    set_scale(&panel->x, x_least, x_most, 0.03, &frame->x);
    set_scale(&panel->y, y_least, y_most, 0.06, &frame->y);
    if (categorical) {
        frame->x.from = -0.5;
        frame->x.to = (double)panel->x.categories - 0.5;
        frame->x.ticks = 0;
    }
}

/* --- Pieces. --- */

static double width_of(const char *text) {
    size_t letters = 0;
    for (; text && *text; text++)
        letters += ((unsigned char)*text & 0xc0) != 0x80;
    return 0.6 * FONT * (double)letters;
}

/* Write a text, rotated by `angle` (radians) about its anchor. `how`: its attributes. */
static void put_text(page *p, double x, double y, double angle, const char *how, const char *text) {
    fprintf(p->to, "<text x=\"%.2f\" y=\"%.2f\" %s", x, y, how);
    if (angle != 0)
        fprintf(p->to, " transform=\"rotate(%.2f %.2f %.2f)\"", angle * DEGREES, x, y);
    fputc('>', p->to);
    seg_html_put_in(p->to, "", text, "</text>\n");
}

static const char *const left = "text-anchor=\"start\"", *const middle = "text-anchor=\"middle\"",
                         *const right = "text-anchor=\"end\"";

static void put_line(page *p, double x, double y, double dx, double dy, const char *how) {
    fprintf(p->to, "<path d=\"M%.2f %.2fl%.2f %.2f\" %s/>\n", x, y, dx, dy, how);
}

/* The dash pattern of a curve, as an attribute. */
static const char *dashes(const seg_series *series) {
    return series->dashed            ? " stroke-dasharray=\"4 2.5\""
           : series->style >= STYLES ? " stroke-dasharray=\"1.2 2\"" /* the colours repeat */
                                     : "";
}

/* Markers: a circle (0 corners) and polygons. */
static void put_marker(page *p, const seg_series *series, double x, double y) {
    static const struct marker {
        int corners;
        double radius, turn; /* distance of the corners from the centre; angle of the first one */
    } markers[STYLES] = {{0, 1, 0},          {4, 1.25, M_PI / 4},  {3, 1.3, -M_PI / 2}, {4, 1.3, 0},
                         {3, 1.3, M_PI / 2}, {5, 1.15, -M_PI / 2}, {3, 1.3, 0},         {3, 1.3, M_PI}};
    const struct marker *m = &markers[series->style % STYLES];
    const double radius = m->radius * MARKER;
    if (m->corners == 0)
        fprintf(p->to, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", x, y, radius);
    for (int c = 0; c < m->corners; c++) {
        const double angle = m->turn + 2 * M_PI * c / m->corners;
        fprintf(p->to, "%s%.2f %.2f%s", c ? "L" : "<path d=\"M", x + radius * cos(angle), y + radius * sin(angle),
                c + 1 < m->corners ? "" : "Z\"");
    }
    fprintf(p->to, " fill=\"%s\"/>\n", colour_of(series));
}

static void put_box(page *p, double x, double y, double width, double height, const char *how) {
    fprintf(p->to, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s/>\n", x, y, width, height, how);
}

/* That of value i of the series at x, if it has any. */
static void put_error_bar(page *p, const seg_frame *frame, const seg_series *series, size_t i, double x,
                          const char *colour) {
    if (!series->low || !series->high)
        return;
    const double top = seg_plot_y(frame, series->high[i]), bottom = seg_plot_y(frame, series->low[i]), cap = 1.8;
    if (isfinite(top) && isfinite(bottom))
        fprintf(p->to,
                "<path d=\"M%.2f %.2fV%.2fM%.2f %.2fh%.2fM%.2f %.2fh%.2f\" stroke=\"%s\" stroke-width=\"0.7\" "
                "stroke-opacity=\"0.75\"/>\n",
                x, top, bottom, x - cap, top, 2 * cap, x - cap, bottom, 2 * cap, colour);
}

/* --- Axes. --- */

static double y_room(const seg_panel *panel, const seg_frame *frame) {
    double widest = 0;
    for (int t = 0; t < frame->y.ticks; t++)
        widest = fmax(widest, width_of(frame->y.text[t]));
    return widest + TICK + 3 + (panel->y.label ? FONT * 1.5 : 0);
}

/* Room between the area and the axis label for numbers, or for categories, which are slanted if they are long. */
static double tick_room(const seg_panel *panel, double width) {
    double widest = 0;
    for (size_t c = 0; c < panel->x.categories; c++)
        widest = fmax(widest, width_of(panel->x.category[c]));
    const int slants = panel->x.categories && widest > 0.95 * width / (double)panel->x.categories;
    return TICK + FONT * 1.3 + (slants ? sin(SLANT) * widest : 0);
}

/* Whether tick t of the x axis has room for its number behind that of tick `before`; -1: there is none. */
static int has_room(const seg_frame *frame, int t, int before) {
    return before < 0 || seg_plot_x(frame, frame->x.tick[t]) - seg_plot_x(frame, frame->x.tick[before]) >=
                             (width_of(frame->x.text[t]) + width_of(frame->x.text[before])) / 2 + 3;
}

static void put_axes(page *p, const seg_panel *panel, const seg_frame *frame) {
    const double bottom = frame->top + frame->height, below = bottom + TICK + FONT;
    int labelled = -1;
    for (int t = 0; t < frame->y.ticks; t++) {
        const double at = frame->top + frame->height * (frame->y.to - frame->y.tick[t]) / (frame->y.to - frame->y.from);
        put_line(p, frame->left, at, frame->width, 0, "class=\"rule\""); /* grid line */
        put_line(p, frame->left, at, -TICK, 0, "class=\"axis\"");
        put_text(p, frame->left - TICK - 2, at + 0.36 * FONT, 0, right, frame->y.text[t]);
    }
    for (int t = 0; t < frame->x.ticks; t++) {
        put_line(p, seg_plot_x(frame, frame->x.tick[t]), bottom, 0, TICK, "class=\"axis\"");
        if (!has_room(frame, t, labelled))
            continue;
        put_text(p, seg_plot_x(frame, frame->x.tick[t]), below, 0, middle, frame->x.text[t]);
        labelled = t;
    }
    const int slants = tick_room(panel, frame->width) > TICK + FONT * 1.3;
    for (size_t c = 0; c < panel->x.categories; c++)
        put_text(p, frame->left + frame->width * ((double)c + 0.5) / (double)panel->x.categories, below,
                 slants ? -SLANT : 0, slants ? right : middle, panel->x.category[c]);
    put_box(p, frame->left, frame->top, frame->width, frame->height, "class=\"axis\"");
    if (panel->x.label)
        put_text(p, frame->left + frame->width / 2, bottom + tick_room(panel, frame->width) + FONT, 0, middle,
                 panel->x.label);
    if (panel->y.label)
        put_text(p, frame->left - y_room(panel, frame) + FONT, frame->top + frame->height / 2, -M_PI / 2, middle,
                 panel->y.label);
}

/* --- Data. --- */

static int shown(const seg_panel *panel, const seg_series *series, size_t i) {
    return isfinite(series->y[i]) && (!panel->y.logarithmic || series->y[i] > 0);
}

static void put_curve(page *p, const seg_panel *panel, const seg_frame *frame, const seg_series *series) {
    char next = 'M';
    fprintf(p->to, "<path d=\"");
    for (size_t i = 0; i < series->count; i++) {
        if (shown(panel, series, i))
            fprintf(p->to, "%c%.2f %.2f", next, seg_plot_x(frame, series->x[i]), seg_plot_y(frame, series->y[i]));
        next = shown(panel, series, i) ? 'L' : 'M';
    }
    fprintf(p->to, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.2\"%s/>\n", colour_of(series), dashes(series));
    for (size_t i = 0; i < series->count; i++) {
        if (!shown(panel, series, i))
            continue;
        put_error_bar(p, frame, series, i, seg_plot_x(frame, series->x[i]), colour_of(series));
        put_marker(p, series, seg_plot_x(frame, series->x[i]), seg_plot_y(frame, series->y[i]));
    }
}

static void put_bars(page *p, const seg_panel *panel, const seg_frame *frame, size_t s) {
    const seg_series *series = &panel->series[s];
    const double wide = 0.8 / (double)panel->series_count;
    const double ground = seg_plot_y(frame, 0);
    char fill[32];
    snprintf(fill, sizeof fill, "fill=\"%s\"", colour_of(series));
    for (size_t c = 0; c < series->count && c < panel->x.categories; c++) {
        if (!isfinite(series->y[c]))
            continue;
        const double from = seg_plot_x(frame, (double)c - 0.4 + wide * (double)s);
        const double to = seg_plot_x(frame, (double)c - 0.4 + wide * (double)(s + 1));
        const double top = seg_plot_y(frame, series->y[c]);
        put_box(p, from, fmin(top, ground), to - from, fabs(ground - top), fill);
        put_error_bar(p, frame, series, c, (from + to) / 2, "#000");
    }
}

/* --- The figure. --- */

static void measure(page *p) {
    const seg_figure *figure = p->figure;
    p->columns = figure->panel_count < 3 ? figure->panel_count : 3;
    p->width = figure->width > 0 ? figure->width : 190;
    p->height = figure->height > 0 ? figure->height : 140;
    for (size_t i = 0; i < figure->panel_count; i++) {
        const seg_panel *panel = &figure->panel[i];
        seg_frame frame = {0};
        seg_plot_scales(panel, &frame);
        p->left = fmax(p->left, y_room(panel, &frame));
        p->below = fmax(p->below, tick_room(panel, p->width) + (panel->x.label ? FONT * 1.5 : 0));
    }
    p->total_width = 2 * MARGIN + (double)p->columns * (p->left + p->width + GAP);
}

/* @return the lower end */
static double put_panels(page *p, double top) {
    for (size_t i = 0; i < p->figure->panel_count; i++) {
        const seg_panel *panel = &p->figure->panel[i];
        const double row = (double)(i / p->columns), column = (double)(i % p->columns);
        seg_frame frame = {.left = MARGIN + column * (p->left + p->width + GAP) + p->left,
                           .top = top + TITLE * 1.5 + row * (TITLE * 1.5 + p->height + p->below + GAP),
                           .width = p->width,
                           .height = p->height};
        if (panel->title)
            put_text(p, frame.left + frame.width / 2, frame.top - 4, 0, "class=\"title\"", panel->title);
        seg_plot_scales(panel, &frame);
        put_axes(p, panel, &frame);
        for (size_t s = 0; s < panel->series_count; s++)
            if (panel->x.category)
                put_bars(p, panel, &frame, s);
            else
                put_curve(p, panel, &frame, &panel->series[s]);
    }
    const double rows = (double)((p->figure->panel_count + p->columns - 1) / p->columns);
    return top + rows * (TITLE * 1.5 + p->height + p->below) + (rows - 1) * GAP;
}

/* A legend entry: a line in the style of the series, and its name. */
static void put_key(page *p, const seg_series *series, double x, double y) {
    char how[96];
    snprintf(how, sizeof how, "stroke=\"%s\" stroke-width=\"1.2\"%s", colour_of(series), dashes(series));
    put_line(p, x, y, KEY_WIDTH, 0, how);
    put_marker(p, series, x + KEY_WIDTH / 2, y);
    put_text(p, x + KEY_WIDTH + 4, y + 0.36 * FONT, 0, left, series->name);
}

/* 1 if an earlier series has the same name. */
static int named_before(const seg_figure *figure, size_t panel, size_t series) {
    const char *name = figure->panel[panel].series[series].name;
    for (size_t i = 0; i <= panel; i++)
        for (size_t s = 0; s < (i < panel ? figure->panel[i].series_count : series); s++)
            if (figure->panel[i].series[s].name && strcmp(figure->panel[i].series[s].name, name) == 0)
                return 1;
    return 0;
}

/* The legend's entries, row by row. @return the lower end */
static double put_legend(page *p, double top) {
    double x = MARGIN + p->left, y = top;
    for (size_t i = 0; i < p->figure->panel_count; i++)
        for (size_t s = 0; s < p->figure->panel[i].series_count; s++) {
            const seg_series *series = &p->figure->panel[i].series[s];
            if (!series->name || named_before(p->figure, i, s))
                continue;
            const double wide = KEY_WIDTH + 4 + width_of(series->name) + 12;
            if (y == top || x + wide > p->total_width) {
                x = MARGIN + p->left;
                y += LINE * 1.15;
            }
            put_key(p, series, x, y);
            x += wide;
        }
    return y > top ? y + LINE / 2 : y;
}

/* Write the note in lines of at most the figure's width. @return the lower end */
static double put_note(page *p, double top) {
    char line[256] = "";
    for (const char *note = p->figure->note; note && *note; note += strspn(note, " ")) {
        const size_t word = strcspn(note, " ");
        if (*line && (strlen(line) + word + 2 > sizeof line ||
                      width_of(line) + 0.6 * FONT * (double)(word + 1) > p->total_width - 2 * MARGIN)) {
            put_text(p, p->total_width / 2, top += LINE, 0, middle, line);
            *line = 0;
        }
        const size_t length = strlen(line);
        snprintf(line + length, sizeof line - length, "%s%.*s", length ? " " : "", (int)word, note);
        note += word;
    }
    if (*line)
        put_text(p, p->total_width / 2, top += LINE, 0, middle, line);
    return top;
}

seg_status seg_figure_write(seg_context *ctx, const seg_figure *figure, const char *folder, const char *name) {
    SEG_RELEASED(seg_writer_abandon) seg_writer file = {0};
    SEG_FREED char *svg = NULL, *own = seg_format(ctx, "%s.svg", name);
    size_t size;
    page p = {.to = open_memstream(&svg, &size), .figure = figure};
    double bottom = MARGIN + (figure->title ? TITLE * 2 : 0);
    if (p.to) {
        measure(&p);
        if (figure->title)
            put_text(&p, p.total_width / 2, MARGIN + TITLE, 0, "class=\"title\"", figure->title);
        bottom = put_note(&p, put_legend(&p, put_panels(&p, bottom))) + MARGIN;
    }
    if (!seg_text_end(p.to) || !own)
        return seg_fail(ctx, SEG_ERR_MEMORY, "out of memory for a figure");
    SEG_TRY(seg_report_open(ctx, folder, own, &file));
    fprintf(file.file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0fpt\" height=\"%.0fpt\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"DejaVu Sans, sans-serif\" font-size=\"%g\">\n"
            "<style>.rule{stroke:#e0e0e0;stroke-width:.6}.axis{stroke:#000;stroke-width:.6;fill:none}"
            ".title{font-weight:bold;font-size:%gpx;text-anchor:middle}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n%s</svg>\n",
            p.total_width, bottom, p.total_width, bottom, FONT, TITLE, svg);
    return seg_writer_commit(ctx, &file);
}
