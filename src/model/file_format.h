/* The layout of a model's file that its writer and its reader share (docs/model-file.md). Whole numbers and IEEE 754
 * numbers, the least significant byte first, without gaps. */
#ifndef SEG_MODEL_FILE_FORMAT_H
#define SEG_MODEL_FILE_FORMAT_H

#define SEG_MODEL_MAGIC  "SEGMODEL"
#define SEG_MODEL_FORMAT 1
enum {
    SEG_MODEL_HEADER = 20, /* magic, format, size of the file */
    SEG_MODEL_CHECK = 4,   /* CRC-32 of everything before, at the end */
    SEG_MODEL_NODE = 10    /* child, column, threshold */
};

#endif
