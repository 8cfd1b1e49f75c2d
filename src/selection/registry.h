/* The methods that choose among others, and the row of any method. */
#ifndef SEG_SELECTION_REGISTRY_H
#define SEG_SELECTION_REGISTRY_H

#include "methods/method.h"

extern const seg_method_row seg_method_auto, seg_method_mixture;

/* The row of a public method; NULL where the registry does not have it. */
const seg_method_row *seg_method_row_of(const seg_method *method);

#endif
