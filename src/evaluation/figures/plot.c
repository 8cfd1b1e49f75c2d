/* The layout of a figure, its legend and its files. */
#include "evaluation/figures/plot.h"

#include "base/base.h"
#include "evaluation/figures/plot_draw.h"
#include "evaluation/report/text.h"
#include "image/file.h"

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PNG_SCALE 3.0 /* dots a point */
#define MARGIN    5.0
#define GAP       10.0
#define KEY_WIDTH 18.0
#define BAR_ROOM  34.0 /* a colour bar and its numbers */
#define LINE      (SEG_PLOT_FONT * 1.35)

double seg_plot_text_width(cairo_t *cr, seg_font font, const char *text) {
    static const double size[] = {SEG_PLOT_FONT, SEG_PLOT_TITLE, SEG_PLOT_TITLE + 1};
    cairo_text_extents_t extents;
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           font == SEG_FONT_PLAIN ? CAIRO_FONT_WEIGHT_NORMAL : CAIRO_FONT_WEIGHT_BOLD);
    cairo_set_font_size(cr, size[font]);
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

void seg_plot_text(cairo_t *cr, seg_font font, double x, double y, double align, const char *text) {
    const double width = seg_plot_text_width(cr, font, text);
    cairo_set_source_rgb(cr, 0, 0, 0);
    cairo_move_to(cr, x - align * width, y);
    cairo_show_text(cr, text);
    cairo_new_path(cr);
}

void seg_plot_turned_text(cairo_t *cr, double x, double y, double align, double angle, const char *text) {
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, angle);
    seg_plot_text(cr, SEG_FONT_PLAIN, 0, 0, align, text);
    cairo_restore(cr);
}

static int has_axes(const seg_panel *panel) {
    return panel->kind < SEG_PANEL_MATRIX;
}

static size_t lines_of(const char *text) {
    size_t lines = text != NULL;
    for (; text && *text; text++)
        lines += *text == '\n';
    return lines;
}

/* The sizes that all panels of a figure share, so that their areas align. Rows of pictures alone are as high as their
 * pictures, so that flat and tall images stand under each other without gaps. */
typedef struct layout {
    size_t columns, rows;
    double width, height;      /* of an area; the height is the most that pictures take */
    double left, right, below; /* room around an area */
    double head, foot;         /* the figure's title; its note */
    double total_width, total_height;
} layout;

/* Height of the areas of a row. */
static double row_height(const seg_figure *figure, const layout *at, size_t row) {
    double height = 0;
    for (size_t p = row * at->columns; p < figure->panel_count && p < (row + 1) * at->columns; p++) {
        const seg_panel *panel = &figure->panel[p];
        if (panel->kind != SEG_PANEL_PICTURE)
            return at->height;
        height = fmax(height, fmin(at->height, at->width * (double)panel->rows / (double)panel->cols));
    }
    return height;
}

/* Room above the areas of a row: for titles where it has any. */
static double row_above(const seg_figure *figure, const layout *at, size_t row) {
    for (size_t p = row * at->columns; p < figure->panel_count && p < (row + 1) * at->columns; p++)
        if (figure->panel[p].title)
            return SEG_PLOT_TITLE * 1.5;
    return 4;
}

static void measure(cairo_t *cr, const seg_figure *figure, layout *out) {
    memset(out, 0, sizeof *out);
    out->columns = figure->columns ? figure->columns : 3;
    out->columns = out->columns < figure->panel_count ? out->columns : figure->panel_count;
    out->rows = (figure->panel_count + out->columns - 1) / out->columns;
    out->width = figure->width > 0 ? figure->width : 190;
    out->height = figure->height > 0 ? figure->height : 140;
    out->right = GAP;
    for (size_t p = 0; p < figure->panel_count; p++) {
        const seg_panel *panel = &figure->panel[p];
        double below = LINE * (double)lines_of(panel->caption);
        if (has_axes(panel)) {
            seg_frame frame = {0};
            seg_plot_scales(panel, &frame);
            out->left = fmax(out->left, seg_plot_y_room(cr, panel, &frame));
            below += seg_plot_x_room(cr, panel);
        } else if (panel->kind == SEG_PANEL_MATRIX)
            out->right = fmax(out->right, BAR_ROOM);
        out->below = fmax(out->below, below);
    }
    out->head = figure->title ? SEG_PLOT_TITLE * 2 : 0;
    out->total_width = 2 * MARGIN + (double)out->columns * (out->left + out->width + out->right);
    out->total_height = 2 * MARGIN + out->head + (double)(out->rows - 1) * GAP;
    for (size_t r = 0; r < out->rows; r++)
        out->total_height += row_above(figure, out, r) + row_height(figure, out, r) + out->below;
}

/* Has a series before this one the same name? */
static int named_before(const seg_figure *figure, size_t panel, size_t series) {
    const char *name = figure->panel[panel].series[series].name;
    for (size_t p = 0; p <= panel; p++)
        for (size_t s = 0; s < (p < panel ? figure->panel[p].series_count : series); s++)
            if (figure->panel[p].series[s].name && strcmp(figure->panel[p].series[s].name, name) == 0)
                return 1;
    return 0;
}

/* The legend's entries in rows of at most `width`, each row centred about `middle`; with draw 0 it is only measured.
 * @return the height */
static double legend(cairo_t *cr, const seg_figure *figure, double middle, double top, double width, int draw) {
    struct entry {
        const seg_panel *panel;
        const seg_series *series;
    } row[64];
    size_t count = 0;
    double used = 0, y = top;
    for (size_t p = 0; p <= figure->panel_count; p++) {
        const int last = p == figure->panel_count;
        for (size_t s = 0; s < (last ? 1 : figure->panel[p].series_count); s++) {
            double wide = 0;
            if (!last) {
                const seg_panel *panel = &figure->panel[p];
                if (!has_axes(panel) || !panel->series[s].name || named_before(figure, p, s))
                    continue;
                wide = KEY_WIDTH + 4 + seg_plot_text_width(cr, SEG_FONT_PLAIN, panel->series[s].name) + 12;
            }
            if (count > 0 && (last || used + wide > width || count == sizeof row / sizeof *row)) {
                double x = middle - (used - 12) / 2;
                for (size_t e = 0; draw && e < count; e++) {
                    seg_plot_legend_key(cr, row[e].panel, row[e].series, x, y + LINE / 2, KEY_WIDTH);
                    seg_plot_text(cr, SEG_FONT_PLAIN, x + KEY_WIDTH + 4, y + LINE / 2 + 0.36 * SEG_PLOT_FONT, 0,
                                  row[e].series->name);
                    x += KEY_WIDTH + 4 + seg_plot_text_width(cr, SEG_FONT_PLAIN, row[e].series->name) + 12;
                }
                y += LINE * 1.15;
                count = 0;
                used = 0;
            }
            if (!last) {
                row[count].panel = &figure->panel[p];
                row[count++].series = &figure->panel[p].series[s];
                used += wide;
            }
        }
    }
    return y > top ? y - top + 4 : 0;
}

static void draw_caption(cairo_t *cr, const char *caption, double middle, double y) {
    char line[256];
    while (caption && *caption) {
        const size_t length = strcspn(caption, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), caption);
        seg_plot_text(cr, SEG_FONT_PLAIN, middle, y, 0.5, line);
        y += LINE;
        caption += length + (caption[length] == '\n');
    }
}

static seg_status draw(seg_context *ctx, cairo_t *cr, const seg_figure *figure, const layout *at) {
    seg_status status = SEG_OK;
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_paint(cr);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    if (figure->title)
        seg_plot_text(cr, SEG_FONT_HEADING, at->total_width / 2, MARGIN + SEG_PLOT_TITLE, 0.5, figure->title);
    double top = MARGIN + at->head;
    for (size_t p = 0; p < figure->panel_count && !status; p++) {
        const seg_panel *panel = &figure->panel[p];
        const size_t row = p / at->columns, column = p % at->columns;
        if (column == 0 && row > 0)
            top += row_above(figure, at, row - 1) + row_height(figure, at, row - 1) + at->below + GAP;
        seg_frame frame = {.left = MARGIN + (double)column * (at->left + at->width + at->right) + at->left,
                           .top = top + row_above(figure, at, row),
                           .width = at->width,
                           .height = row_height(figure, at, row)};
        const double middle = frame.left + frame.width / 2;
        if (panel->title)
            seg_plot_text(cr, SEG_FONT_TITLE, middle, frame.top - 4, 0.5, panel->title);
        double below = frame.top + frame.height + SEG_PLOT_FONT * 1.2;
        if (has_axes(panel)) {
            seg_plot_scales(panel, &frame);
            seg_plot_axes(cr, panel, &frame);
            status = seg_plot_series(ctx, cr, panel, &frame);
            below += seg_plot_x_room(cr, panel);
        } else
            status = seg_plot_image(ctx, cr, panel, &frame);
        draw_caption(cr, panel->caption, middle, below);
    }
    return status;
}

/* What cairo writes goes into a seg_writer. */
static cairo_status_t put(void *writer, const unsigned char *bytes, unsigned int size) {
    seg_writer_put(writer, bytes, size);
    return CAIRO_STATUS_SUCCESS;
}

typedef enum format { FORMAT_NONE, FORMAT_SVG, FORMAT_PDF, FORMAT_PNG } format;
static const char *const endings[] = {"", ".svg", ".pdf", ".png"};

static format format_of(const char *path) {
    const size_t length = strlen(path);
    format kind = FORMAT_PNG;
    while (kind > FORMAT_NONE && (length <= 4 || strcmp(path + length - 4, endings[kind]) != 0))
        kind--;
    return kind;
}

static cairo_surface_t *open_surface(format kind, double width, double height, seg_writer *writer) {
    cairo_surface_t *surface;
    if (kind == FORMAT_PNG)
        return cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * PNG_SCALE),
                                          (int)ceil(height * PNG_SCALE));
    if (kind == FORMAT_SVG)
        return cairo_svg_surface_create_for_stream(put, writer, width, height);
    surface = cairo_pdf_surface_create_for_stream(put, writer, width, height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z"); /* not now */
    return surface;
}

/* Widths of letters must not depend on the surface: no hinting. */
static cairo_t *open_page(cairo_surface_t *surface) {
    cairo_t *cr = cairo_create(surface);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
    return cr;
}

/* The note in lines of at most `width` about `middle`; with draw 0 it is only measured. @return the height */
static double draw_note(cairo_t *cr, const char *note, double middle, double top, double width, int draw) {
    char line[256] = "", longer[2 * sizeof line];
    double y = top;
    while (note && *note) {
        const size_t word = strcspn(note, " ");
        snprintf(longer, sizeof longer, "%s%s%.*s", line, *line ? " " : "", (int)word, note);
        if (*line && (strlen(longer) >= sizeof line || seg_plot_text_width(cr, SEG_FONT_PLAIN, longer) > width)) {
            y += LINE;
            if (draw)
                seg_plot_text(cr, SEG_FONT_PLAIN, middle, y, 0.5, line);
            snprintf(longer, sizeof longer, "%.*s", (int)word, note);
        }
        longer[sizeof line - 1] = 0; /* a word that is too long for any line */
        memcpy(line, longer, sizeof line);
        note += word;
        note += strspn(note, " ");
    }
    if (*line && draw)
        seg_plot_text(cr, SEG_FONT_PLAIN, middle, y + LINE, 0.5, line);
    return *line ? y + LINE - top + 4 : 0;
}

static void lay_out(const seg_figure *figure, layout *out) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
    cairo_t *cr = open_page(surface);
    measure(cr, figure, out);
    out->foot = draw_note(cr, figure->note, 0, 0, out->total_width - 2 * MARGIN, 0);
    out->total_height += legend(cr, figure, 0, 0, out->total_width - 2 * MARGIN, 0) + out->foot;
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

seg_status seg_figure_write(seg_context *ctx, const seg_figure *figure, const char *path) {
    const format kind = format_of(path);
    seg_writer writer;
    layout at;
    if (kind == FORMAT_NONE)
        return seg_fail(ctx, SEG_ERR_USAGE, "the name of the figure '%s' must end in .svg, .pdf or .png", path);
    if (figure->panel_count == 0)
        return seg_fail(ctx, SEG_ERR_USAGE, "the figure '%s' has no panels", path);
    seg_status status = seg_writer_open(ctx, path, &writer);
    if (status)
        return status;
    lay_out(figure, &at);
    cairo_surface_t *surface = open_surface(kind, at.total_width, at.total_height, &writer);
    cairo_t *cr = open_page(surface);
    if (kind == FORMAT_PNG)
        cairo_scale(cr, PNG_SCALE, PNG_SCALE);
    status = draw(ctx, cr, figure, &at);
    const double room = legend(cr, figure, 0, 0, at.total_width - 2 * MARGIN, 0);
    const double bottom = at.total_height - MARGIN;
    legend(cr, figure, at.total_width / 2, bottom - at.foot - room + 4, at.total_width - 2 * MARGIN, 1);
    draw_note(cr, figure->note, at.total_width / 2, bottom - at.foot, at.total_width - 2 * MARGIN, 1);
    cairo_show_page(cr);
    cairo_status_t drawn = cairo_status(cr);
    cairo_destroy(cr);
    if (kind == FORMAT_PNG && drawn == CAIRO_STATUS_SUCCESS && !status)
        drawn = cairo_surface_write_to_png_stream(surface, put, &writer);
    cairo_surface_finish(surface);
    if (drawn == CAIRO_STATUS_SUCCESS)
        drawn = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (!status && drawn != CAIRO_STATUS_SUCCESS)
        status =
            seg_fail(ctx, SEG_ERR_MEMORY, "the figure '%s' cannot be drawn: %s", path, cairo_status_to_string(drawn));
    if (!status)
        return seg_writer_commit(ctx, &writer);
    seg_writer_abandon(&writer);
    return status;
}

seg_status seg_figure_write_all(seg_context *ctx, const seg_figure *figure, const char *folder, const char *name) {
    seg_status status = SEG_OK;
    for (format kind = FORMAT_SVG; kind <= FORMAT_PNG && !status; kind++) {
        char *path = seg_format(ctx, "%s%s%s%s", folder ? folder : "", folder ? "/" : "", name, endings[kind]);
        status = path ? seg_figure_write(ctx, figure, path) : SEG_ERR_MEMORY;
        free(path);
    }
    return status;
}
