/* Texts that become part of the program (scripts/cmake/EmbedText.cmake); ended by 0. */
#ifndef SEG_EVALUATION_REPORT_EMBEDDED_H
#define SEG_EVALUATION_REPORT_EMBEDDED_H

extern const char seg_report_style[], seg_report_script[];

#endif
