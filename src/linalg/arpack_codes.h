/* What ARPACK's return codes mean, in words. */
#ifndef SEG_LINALG_ARPACK_CODES_H
#define SEG_LINALG_ARPACK_CODES_H

/* Of dsaupd and of dseupd; never NULL. */
const char *seg_dsaupd_text(int info);
const char *seg_dseupd_text(int info);

#endif
