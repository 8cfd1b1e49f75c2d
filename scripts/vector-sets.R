# Sixteen data sets with classes from packages of Debian, for segment experiment: tables without headers, the class in the
# last column.
#
#     Rscript scripts/vector-sets.R FOLDER
#
# Needs r-cran-mlbench, r-cran-mclust, r-cran-kernlab, r-cran-mass and, for the digits, python3-sklearn. Rows with missing
# values and constant columns are left out; of large sets every n-th row is taken, to about a thousand.
out <- commandArgs(TRUE)[1]
if (is.na(out)) stop("usage: Rscript vector-sets.R FOLDER")
dir.create(out, showWarnings = FALSE)
digits <- "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"
from <- function(package, name) { e <- new.env(); utils::data(list = name, package = package, envir = e); get(name, e) }
numbers <- function(x) if (is.factor(x) || is.character(x)) as.numeric(as.character(x)) else as.numeric(x)
put <- function(name, x, class, every = 1) {
  x <- data.frame(x); keep <- seq(1, nrow(x), by = every)
  x <- x[keep, , drop = FALSE]; class <- factor(class[keep])
  for (c in seq_along(x)) x[[c]] <- numbers(x[[c]])
  full <- rowSums(is.na(x)) == 0
  x <- x[full, , drop = FALSE]; class <- factor(class[full])
  x <- x[, sapply(x, function(v) max(v) > min(v)), drop = FALSE]
  utils::write.table(cbind(x, as.integer(class)), file.path(out, paste0(name, ".csv")), sep = ",", row.names = FALSE, col.names = FALSE)
  cat(sprintf("%s: %d x %d, classes of %s\n", name, nrow(x), ncol(x), paste(table(class), collapse = " ")))
}
b <- from("mlbench", "BreastCancer");        put("breast-cancer", b[, 2:10], b$Class)
b <- from("mlbench", "PimaIndiansDiabetes"); put("pima", b[, 1:8], b$diabetes)
b <- from("mlbench", "Vehicle");             put("vehicle", b[, 1:18], b$Class)
b <- from("mlbench", "Vowel");               put("vowel", b[, 2:10], b$Class)
b <- from("mlbench", "Zoo");                 put("zoo", lapply(b[, 1:16], as.numeric), b$type)
b <- from("mlbench", "Satellite");           put("satellite", b[, 1:36], b$classes, 6)
b <- from("mlbench", "LetterRecognition");   put("letter", b[, 2:17], b$lettr, 20)
b <- from("mlbench", "DNA");                 put("dna", b[, 1:180], b$Class, 4)
b <- from("mlbench", "HouseVotes84")
put("votes", lapply(b[, 2:17], function(v) ifelse(is.na(v), 0, ifelse(v == "y", 1, -1))), b$Class)
b <- from("MASS", "crabs");                  put("crabs", b[, 4:8], paste(b$sp, b$sex))
b <- from("mclust", "thyroid");              put("thyroid", b[, 2:6], b$Diagnosis)
b <- from("mclust", "banknote");             put("banknote", b[, 2:7], b$Status)
b <- from("mclust", "diabetes");             put("diabetes", b[, 2:4], b$class)
b <- from("kernlab", "spam");                put("spam", b[, 1:57], b$type, 5)
b <- from("kernlab", "musk");                put("musk", b[, 1:166], b$Class)
b <- utils::read.csv(gzfile(digits), header = FALSE)
put("digits", b[, 1:64], b[, 65], 2)
