#include "linalg/arpack_codes.h"

#include <stddef.h>

/* Codes that dsaupd and dseupd share. */
static const char *common_text(int info) {
    switch (info) {
    case 0:
        return "no error";
    case -1:
        return "the number of unknowns must be positive";
    case -2:
        return "the number of eigenvalues must be positive";
    case -3:
        return "the basis must be larger than the number of eigenvalues and at most the number of unknowns";
    case -5:
        return "unknown choice of the end of the spectrum";
    case -6:
        return "unknown kind of problem, neither standard nor generalised";
    case -7:
        return "the work array is too short";
    case -8:
        return "LAPACK could not find the eigenvalues of the tridiagonal matrix (dsteqr)";
    case -9:
        return "the start vector is zero";
    case -10:
        return "unknown mode";
    case -11:
        return "the mode does not fit a generalised problem";
    default:
        return NULL;
    }
}

const char *seg_dsaupd_text(int info) {
    switch (info) {
    case 1:
        return "the limit of restarts was reached before all eigenvalues converged";
    case 2:
        return "the whole invariant subspace was found before enough eigenvalues (a code of old versions)";
    case 3:
        return "no shifts could be applied during a restart; a larger basis helps";
    case -4:
        return "the limit of restarts must be positive";
    case -12:
        return "unknown choice of shifts";
    case -13:
        return "one eigenvalue cannot be taken from both ends of the spectrum";
    case -9999:
        return "the Lanczos basis could not be built";
    default:
        return common_text(info) ? common_text(info) : "unknown code";
    }
}

const char *seg_dseupd_text(int info) {
    switch (info) {
    case -12:
        return "one eigenvalue cannot be taken from both ends of the spectrum";
    case -14:
        return "no eigenvalue was found to sufficient accuracy";
    case -15:
        return "unknown choice of eigenvectors";
    case -16:
        return "a selection of eigenvectors is not available";
    case -17:
        return "the number of converged eigenvalues changed between the two steps";
    default:
        return common_text(info) ? common_text(info) : "unknown code";
    }
}
