/* The report of an evaluation. All files depend on the results and the folder's images only: any journal of the same
 * results gives the same bytes. Seconds and memory, in timings.csv and report.html, can be left out. */
#pragma once

#include "evaluation/runner/results.h"

/* Texts of the page (report.css, viewer.html, report.js), made by scripts/cmake/EmbedText.cmake. */
extern const char seg_report_style[], seg_report_viewer[], seg_report_script[];

/* The arguments of every part. */
typedef struct seg_report {
    const seg_results *results;
    int timing; /* 0: without seconds and memory */
    const char *out;
} seg_report;

/* Write everything into the folder that seg_layout_make made. SEG_OK, SEG_ERR_IO, SEG_ERR_MEMORY. */
seg_status seg_report_write(seg_context *ctx, const seg_results *results, int timing, const char *out);

seg_status seg_report_html(seg_context *ctx, const seg_report *report);
