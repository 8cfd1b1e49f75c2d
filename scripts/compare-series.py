#!/usr/bin/python3
"""Compare 'segment learn' and 'segment apply' with a pixel-wise random forest on series of images.

    scripts/compare-series.py [--data FOLDER] [--segment BINARY] [--series msrc,med,cells,tissue] [--each]

Series, each learned from strokes on a few images and applied to the others, which have none:
  msrc    pairs of classes of the MSRC images (FOLDER/msrc/Images, FOLDER/msrc/GroundTruth, 24-bit colours): the images
          where both have over 3 % of the area; the first five by name are learned from. Strokes are drawn by rule.
  med     medical images of several kinds, KIND_... (FOLDER/objects/med/images, ground-truth, scribbles-set-1), strokes
          drawn by people: each image by what the others of its kind teach.
  cells   made here: fluorescent cells on a dark, uneven ground, grey; 4 images are learned from, 8 not.
  tissue  made here: a stained section of three kinds of tissue, colour; 4 images are learned from, 8 not.

Strokes by rule: the skeleton of each label's area more than 5 pixels from its border, three pixels wide.
The random forest: 100 trees of scikit-learn on smoothed CIELAB, gradients, Laplacians and eigenvalues of the structure
tensor at five scales (0.7 to 10 pixels), of the same strokes.
Printed: mean IoU of the labels (what segment calls unknown is wrong), pairwise accuracy, and processor seconds an image:
of the forest its features and its prediction, of segment the whole process, starting, reading and writing included.
Needs numpy, scipy, scikit-image, scikit-learn, OpenCV and Pillow.
"""
import argparse
import glob
import os
import resource
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np
from PIL import Image
from scipy import ndimage
from skimage.color import rgb2lab
from skimage.morphology import skeletonize
from sklearn.ensemble import RandomForestClassifier

COLOUR = {'building': (128, 0, 0), 'grass': (0, 128, 0), 'tree': (128, 128, 0), 'cow': (0, 0, 128), 'sheep': (0, 128, 128),
          'sky': (128, 128, 128), 'water': (64, 128, 0), 'face': (192, 128, 0), 'car': (64, 0, 128), 'road': (128, 64, 128),
          'body': (64, 64, 0), 'boat': (192, 64, 0)}
PAIRS = ['cow/grass', 'sheep/grass', 'building/sky', 'tree/sky', 'building/road', 'tree/grass', 'car/road', 'boat/water',
         'face/body', 'building/tree']


def strokes(truth):
    out = np.zeros(truth.shape, np.uint8)
    for label in np.unique(truth[truth > 0]):
        area = truth == label
        depth = ndimage.distance_transform_edt(np.pad(area, 1))[1:-1, 1:-1]
        line = skeletonize(depth > min(5, depth.max() / 2))
        out[ndimage.binary_dilation(line, np.ones((3, 3))) & area] = label
    return out


# --- The series: name, then lists of (image as an array, truth, strokes) to learn from and to apply to. ---

def msrc(data):
    truths = {}
    for path in sorted(glob.glob(os.path.join(data, 'msrc/GroundTruth/*'))):
        rgb = np.asarray(Image.open(path).convert('RGB')).astype(int)
        truths[path] = rgb[..., 0] << 16 | rgb[..., 1] << 8 | rgb[..., 2]
    for pair in PAIRS:
        one, two = (c[0] << 16 | c[1] << 8 | c[2] for c in (COLOUR[name] for name in pair.split('/')))
        items = []
        for path, value in truths.items():
            if min((value == one).mean(), (value == two).mean()) > 0.03:
                image = os.path.join(data, 'msrc/Images', os.path.basename(path).replace('_GT', ''))
                truth = np.where(value == one, 1, np.where(value == two, 2, 0))
                items.append((np.asarray(Image.open(image).convert('RGB')), truth, strokes(truth)))
        yield pair, items[:5], items[5:]


def med(data):
    kinds, top = {}, os.path.join(data, 'objects/med')
    for path in sorted(glob.glob(os.path.join(top, 'images/*.png'))):
        name = os.path.basename(path)[:-4]
        marks = os.path.join(top, 'scribbles-set-1', name + '-anno.png')
        if os.path.exists(marks):
            truth = np.asarray(Image.open(os.path.join(top, 'ground-truth', name + '.png')))
            kinds.setdefault(name.split('_')[0], []).append(
                (np.asarray(Image.open(path).convert('RGB')), np.where(truth > 0, 1, 2), np.asarray(Image.open(marks))))
    for kind, items in kinds.items():
        for i in range(len(items)):
            if len(items) > 1:
                yield '%s %d' % (kind, i + 1), items[:i] + items[i + 1:], [items[i]]


def smooth_noise(random, shape, sigma):
    noise = ndimage.gaussian_filter(random.standard_normal(shape), sigma)
    return noise / noise.std()


def cells(_):
    items = []
    for number in range(12):
        random = np.random.default_rng(number)
        shape = (256, 320)
        y, x = np.mgrid[:shape[0], :shape[1]]
        light, truth = np.zeros(shape), np.full(shape, 2)
        for _ in range(random.integers(8, 16)):
            cx, cy, r = random.uniform(0, shape[1]), random.uniform(0, shape[0]), random.uniform(12, 24)
            angle, long = random.uniform(0, np.pi), random.uniform(1, 1.6)
            u = (x - cx) * np.cos(angle) + (y - cy) * np.sin(angle)
            v = (y - cy) * np.cos(angle) - (x - cx) * np.sin(angle)
            inside = (u / long) ** 2 + v ** 2 + 2 * r * smooth_noise(random, shape, 6) < r * r
            light = np.maximum(light, np.where(inside, random.uniform(0.25, 0.7), 0))
            truth[inside] = 1
        light *= 1 + 0.35 * smooth_noise(random, shape, 2)  # what the cell is filled with
        ground = 0.18 + 0.07 * smooth_noise(random, shape, 60)
        seen = ndimage.gaussian_filter(light, 1.2) + np.maximum(ground, 0.02)
        seen = random.poisson(np.maximum(seen, 0) * 60) / 60 * random.uniform(0.8, 1.2)
        grey = np.clip(255 * seen, 0, 255).astype(np.uint8)
        items.append((np.dstack([grey] * 3), truth, strokes(truth)))
    yield 'cells', items[:4], items[4:]


def tissue(_):
    items = []
    for number in range(12):
        random = np.random.default_rng(100 + number)
        shape = (280, 360)
        field = smooth_noise(random, shape, 28)
        truth = np.where(field > 0.45, 1, np.where(field < -0.6, 3, 2))
        stain = random.uniform(0.85, 1.15, 3)  # no two sections take the stain alike
        base = {1: (0.62, 0.38, 0.66), 2: (0.86, 0.60, 0.74), 3: (0.93, 0.90, 0.92)}
        image = np.zeros(shape + (3,))
        for label, colour in base.items():
            image[truth == label] = colour
        nuclei = np.zeros(shape)
        nuclei[tuple(random.integers(0, s, 1600) for s in shape)] = 1
        nuclei = ndimage.gaussian_filter(nuclei, 1.6) * 2 * np.pi * 1.6 ** 2
        nuclei *= np.where(truth == 1, 0.5, np.where(truth == 2, 0.25, 0.02))
        fibres = smooth_noise(random, shape, (1, 6)) * np.where(truth == 2, 0.06, 0.015)
        image += fibres[..., None] - np.minimum(nuclei, 1)[..., None] * (0.45, 0.4, 0.2)
        image = image * stain + 0.03 * random.standard_normal(image.shape)
        image += 0.06 * smooth_noise(random, shape, 80)[..., None]
        image = ndimage.gaussian_filter(image, (0.7, 0.7, 0))
        items.append(((255 * np.clip(image, 0, 1)).astype(np.uint8), truth, strokes(truth)))
    yield 'tissue', items[:4], items[4:]


# --- Both ways. ---

def planes(image):
    lab = rgb2lab(image / 255.).astype(np.float32)
    out = []
    for sigma in (0.7, 1.6, 3.5, 7, 10):
        for c in range(3):
            g = cv2.GaussianBlur(lab[:, :, c], (0, 0), sigma)
            gx, gy = cv2.Sobel(g, cv2.CV_32F, 1, 0), cv2.Sobel(g, cv2.CV_32F, 0, 1)
            out += [g, np.hypot(gx, gy), cv2.Laplacian(g, cv2.CV_32F)]
            if c == 0:
                xx, yy, xy = (cv2.GaussianBlur(v, (0, 0), sigma) for v in (gx * gx, gy * gy, gx * gy))
                r = np.sqrt((xx - yy) ** 2 + 4 * xy * xy)
                out += [(xx + yy + r) / 2, (xx + yy - r) / 2]
    return np.stack(out, -1)


def by_forest(learn, apply):
    rows, labels = [], []
    for image, _, marks in learn:
        rows.append(planes(image)[marks > 0])
        labels.append(marks[marks > 0])
    model = RandomForestClassifier(100, n_jobs=2, random_state=0).fit(np.concatenate(rows), np.concatenate(labels))
    masks, seconds = [], []
    for image, truth, _ in apply:
        began = time.process_time()
        f = planes(image)
        masks.append(model.predict(f.reshape(-1, f.shape[-1])).reshape(truth.shape))
        seconds.append(time.process_time() - began)
    return masks, np.mean(seconds)


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit('%s\nexit %d: %s' % (' '.join(words), done.returncode, done.stderr))
    return done.stdout


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_segment(binary, learn, apply):
    with tempfile.TemporaryDirectory() as top:
        for folder, items in (('learn', learn), ('apply', apply)):
            os.mkdir(os.path.join(top, folder))
            for i, (image, _, marks) in enumerate(items):
                Image.fromarray(image).save('%s/%s/%03d.png' % (top, folder, i), compress_level=1)
                if folder == 'learn':
                    Image.fromarray(marks.astype(np.uint8)).save('%s/%s/%03d-scribbles.png' % (top, folder, i))
        model = os.path.join(top, 'series.model')
        said = run([binary, 'learn', os.path.join(top, 'learn'), '-o', model])
        began = processor()
        run([binary, 'apply', model, os.path.join(top, 'apply'), '-o', os.path.join(top, 'masks/'), '--no-overlay', '-q'])
        seconds = (processor() - began) / len(apply)
        masks = [np.asarray(Image.open('%s/masks/%03d-mask.png' % (top, i))) for i in range(len(apply))]
        expected = next((line.split()[1] for line in said.splitlines() if line.startswith('accuracy')), '-')
        return masks, seconds, expected


def scores(mask, truth):
    scored = truth > 0
    iou = [((mask == l) & (truth == l)).sum() / max(1, (((mask == l) | (truth == l)) & scored).sum())
           for l in np.unique(truth[scored])]
    table = np.zeros((256, int(truth.max()) + 1))
    np.add.at(table, (mask[scored].astype(int), truth[scored]), 1)
    n = float(scored.sum())
    unequal = (table.sum(0) ** 2).sum() + (table.sum(1) ** 2).sum() - 2 * (table ** 2).sum()
    return float(np.mean(iou)), 1 - unequal / (n * (n - 1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--data', default='.')
    parser.add_argument('--segment', default='build/segment')
    parser.add_argument('--series', default='msrc,med,cells,tissue')
    parser.add_argument('--each', action='store_true', help='a line per medical image, too')
    options = parser.parse_args()
    print('%-16s %6s %6s | %8s %8s %8s | %8s %8s %8s | %s' % ('series', 'learn', 'apply', 'IoU', 'pairwise', 'seconds',
                                                             'IoU', 'pairwise', 'seconds', 'predicted'))
    all_means = []
    for kind in options.series.split(','):
        lines = []
        for name, learn, apply in {'msrc': msrc, 'med': med, 'cells': cells, 'tissue': tissue}[kind](options.data):
            theirs, their_seconds = by_forest(learn, apply)
            ours, seconds, expected = by_segment(options.segment, learn, apply)
            line = [np.mean([scores(m, t[1]) for m, t in zip(theirs, apply)], 0), their_seconds,
                    np.mean([scores(m, t[1]) for m, t in zip(ours, apply)], 0), seconds]
            line = np.concatenate([np.atleast_1d(v) for v in line])
            lines.append(line)
            if kind != 'med' or options.each:
                print('%-16s %6d %6d | %8.4f %8.4f %8.3f | %8.4f %8.4f %8.3f | %s' % (
                    (name, len(learn), len(apply)) + tuple(line) + (expected,)), flush=True)
        if lines:
            all_means.append(np.mean(lines, 0))
            if len(lines) > 1:
                print('%-16s %6s %6s | %8.4f %8.4f %8.3f | %8.4f %8.4f %8.3f |' % (
                    ('mean of ' + kind, '', len(lines)) + tuple(all_means[-1])), flush=True)
    mean = np.mean(all_means, 0)
    print('mean of the series: IoU %.4f against %.4f of the forest, %.1f times faster' % (mean[3], mean[0],
                                                                                         mean[2] / mean[5]))


if __name__ == '__main__':
    main()
