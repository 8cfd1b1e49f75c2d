# Tables of the papers that packages of Debian hold, and stand-ins for some that none does: for segment experiment, without
# headers, the class in the last column.
#
#     Rscript scripts/paper-sets.R FOLDER
#
# letters-ijl   every tenth of the rows of I, J and L: 227 x 16 [kulis2009sskk, Sec. 5.1, drawn at random there]  r-cran-mlbench
# letters       every fourth row of all 26 letters, 5000 x 16                                                  r-cran-mlbench
# digits-389    the digits 3, 8 and 9 of 8 x 8 pixels, 537 x 64, in place of Pendigits' 317 x 16                python3-sklearn
# fashion-04    the classes 0 to 4 of the test half of Fashion-MNIST, 5000 x 784, in place of MNIST's 5139       dataset-fashion-mnist
# hundred       a hundred Gaussians that touch, 5000 x 20, made here
#
# A table whose package is not installed is left out with a line that says so.
out <- commandArgs(TRUE)[1]
if (is.na(out)) stop("usage: Rscript paper-sets.R FOLDER")
dir.create(out, showWarnings = FALSE, recursive = TRUE)
digits <- "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"
put <- function(name, x, class, every = 1) {
  keep <- seq(1, nrow(x), by = every)
  class <- factor(class[keep])
  utils::write.table(cbind(x[keep, ], as.integer(class)), file.path(out, paste0(name, ".csv")), sep = ",", row.names = FALSE,
                     col.names = FALSE)
  cat(sprintf("%s: %d x %d, %d classes\n", name, length(keep), ncol(x), nlevels(class)))
}
if (requireNamespace("mlbench", quietly = TRUE)) {
  all <- new.env(); utils::data(list = "LetterRecognition", package = "mlbench", envir = all)
  l <- all$LetterRecognition
  three <- l[l$lettr %in% c("I", "J", "L"), ]
  put("letters-ijl", three[, 2:17], three$lettr, 10)
  put("letters", l[, 2:17], l$lettr, 4)
} else cat("letters, letters-ijl: left out, r-cran-mlbench is not installed\n")
if (file.exists(digits)) {
  d <- utils::read.csv(gzfile(digits), header = FALSE)
  d <- d[d[, 65] %in% c(3, 8, 9), ]
  put("digits-389", d[, 1:64], d[, 65])
} else cat("digits-389: left out, python3-sklearn is not installed\n")
fashion <- "/usr/share/datasets/fashion-mnist/t10k-%s-ubyte.gz"
bytes <- function(name, skip) {
  file <- gzfile(sprintf(fashion, name), "rb"); on.exit(close(file))
  as.integer(readBin(file, "raw", 8e6))[-seq_len(skip)]
}
if (file.exists(sprintf(fashion, "labels-idx1"))) {
  class <- bytes("labels-idx1", 8); x <- matrix(bytes("images-idx3", 16), ncol = 784, byrow = TRUE)
  put("fashion-04", x[class < 5, ], class[class < 5])
} else cat("fashion-04: left out, dataset-fashion-mnist is not installed\n")
set.seed(1, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
centre <- matrix(stats::rnorm(100 * 20, sd = 1.2), 100)
class <- rep(1:100, 50)
put("hundred", round(centre[class, ] + matrix(stats::rnorm(5000 * 20), 5000), 4), class)
