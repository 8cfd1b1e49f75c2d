/* What is wrong with what was sent. */
#ifndef PAINT_REFUSAL_H
#define PAINT_REFUSAL_H

/* NULL where it went well, else a sentence. */
typedef const char *paint_refusal;

#endif
