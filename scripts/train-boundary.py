#!/usr/bin/env python3
"""Train a small net that finds the boundaries which people draw, or apply it.

    train-boundary.py train BOUNDARIES NET.pt [--minutes 65] [--threads 1]
    train-boundary.py score NET.pt BOUNDARIES
    train-boundary.py apply NET.pt IMAGES... --out FOLDER

BOUNDARIES holds images/ID.jpg, segmentations/ID-N.png and split.txt. `train` writes a checkpoint every two minutes and
goes on from it when it is started again; the step length falls with the share of the minutes that is over, so the net
depends on the machine. `score` prints F-measures on the images held out, beside the gradient of Lab, Canny and the
people themselves. `apply` writes FOLDER/NAME.png for every image: 8 bit, the image's size, 255 where a boundary is
certain. It needs PyTorch and OpenCV. What the maps are worth for the default method is in docs/history/boundaries.md.
"""
import argparse
import math
import pathlib
import time

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

CROP = 192
BATCH = 6
CHANNELS = (12, 24, 32, 40)
SIDE = 8  # channels in which the blocks are added
RATE = 4e-3


class Block(nn.Module):
    """Two 3 x 3 convolutions beside a 1 x 1 convolution."""

    def __init__(self, before, after):
        super().__init__()
        self.first = nn.Conv2d(before, after, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(after)
        self.second = nn.Conv2d(after, after, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(after)
        self.beside = nn.Conv2d(before, after, 1, bias=False)

    def forward(self, values):
        inner = functional.relu(self.first_norm(self.first(values)))
        return functional.relu(self.second_norm(self.second(inner)) + self.beside(values))


class Net(nn.Module):
    """Four blocks from half the resolution on, halved between, each added to the enlarged coarser ones."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, CHANNELS[0], 4, stride=2, padding=1)
        self.blocks = nn.ModuleList(Block(b, a) for b, a in zip((CHANNELS[0],) + CHANNELS[:-1], CHANNELS))
        self.across = nn.ModuleList(nn.Conv2d(c, SIDE, 1) for c in CHANNELS)
        self.smooth = nn.ModuleList(nn.Conv2d(SIDE, SIDE, 3, padding=1) for _ in CHANNELS)
        self.side = nn.ModuleList(nn.Conv2d(SIDE, 1, 3, padding=1) for _ in CHANNELS)

    def forward(self, image):
        """The logits at half the resolution: those of the finest block first."""
        values = functional.relu(self.stem(image))
        stages = []
        for index, block in enumerate(self.blocks):
            values = block(functional.max_pool2d(values, 2) if index else values)
            stages.append(self.across[index](values))
        logits, coarser = [], None
        for index in reversed(range(len(stages))):
            values = stages[index]
            if coarser is not None:
                values = values + functional.interpolate(coarser, size=values.shape[2:], mode="bilinear",
                                                         align_corners=False)
            coarser = functional.relu(self.smooth[index](values))
            logits.insert(0, self.side[index](coarser))
        return logits


def boundary_of(path):
    """1 at every pixel that differs in its segment from that to the right, below or beneath both."""
    padded = np.pad(cv2.imread(str(path), cv2.IMREAD_UNCHANGED), ((0, 1), (0, 1)), mode="edge")
    corner = np.stack([padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]])
    return (corner.max(0) != corner.min(0)).astype(np.uint8)


def share_of_annotators(paths):
    """For every corner of four pixels the share of the people whose boundary passes it or a corner beside it."""
    total = sum(cv2.dilate(boundary_of(path), np.ones((3, 3), np.uint8)).astype(float) for path in paths)
    return (255.0 * total / len(paths)).astype(np.uint8)


def read_split(folder, part):
    """Pairs of an image and its share of annotators, both of 8 bits."""
    pairs = []
    for line in (folder / "split.txt").read_text().splitlines():
        name, kind = line.split()
        if kind == part:
            image = cv2.imread(str(folder / "images" / f"{name}.jpg"))
            segmentations = sorted((folder / "segmentations").glob(f"{name}-*.png"))
            pairs.append((image, share_of_annotators(segmentations)))
    return pairs


def sample(pairs, random):
    """One crop, changed by scale, turn, flip, contrast, grey and noise, and its target at half the resolution."""
    image, share = pairs[random.integers(len(pairs))]
    side = CROP if random.random() < 0.5 else int(random.integers(128, 288))
    top, left = random.integers(image.shape[0] - side + 1), random.integers(image.shape[1] - side + 1)
    image, share = image[top:top + side, left:left + side], share[top:top + side, left:left + side]
    if side != CROP:
        image = cv2.resize(image, (CROP, CROP), interpolation=cv2.INTER_AREA if side > CROP else cv2.INTER_LINEAR)
        share = cv2.resize(share, (CROP, CROP), interpolation=cv2.INTER_LINEAR)
    image, share = image.astype(np.float32) / 255.0, share[::2, ::2].astype(np.float32) / 255.0
    if random.random() < 0.25:
        image = np.repeat(image.mean(2, keepdims=True), 3, 2)
    image = (image - image.mean()) * random.uniform(0.5, 1.4) + random.uniform(0.3, 0.7)
    image = image * random.uniform(0.9, 1.1, 3).astype(np.float32)
    if random.random() < 0.3:
        image = image + random.normal(0.0, random.uniform(0.0, 0.05), image.shape)
    turns, flip = random.integers(4), random.random() < 0.5
    image, share = np.rot90(image, turns), np.rot90(share, turns)
    if flip:
        image, share = image[:, ::-1], share[:, ::-1]
    return image.astype(np.float32).transpose(2, 0, 1), np.ascontiguousarray(share)[None]


def loss_of(logits, share):
    """Class-balanced cross-entropy: a boundary above 0.3 of the people, none at 0, and undecided between."""
    positive, negative = (share > 0.3).float(), (share == 0.0).float()
    balance = negative.sum() / (positive.sum() + negative.sum())
    weight = balance * positive * share + 1.1 * (1.0 - balance) * negative
    return functional.binary_cross_entropy_with_logits(logits, positive, weight, reduction="sum") / share.shape[0] / 1e3


def total_loss(net, image, share):
    """The finest logits count fully, those of the coarser blocks by a fifth."""
    logits = net(image)
    loss = loss_of(logits[0], share)
    for coarse in logits[1:]:
        loss = loss + 0.2 * loss_of(functional.interpolate(coarse, size=share.shape[2:], mode="nearest"), share)
    return loss


def map_of(net, image):
    """The boundary's probability at the image's size, 8 bits."""
    rows, columns = image.shape[:2]
    padded = cv2.copyMakeBorder(image, 0, -rows % 16, 0, -columns % 16, cv2.BORDER_REFLECT_101)
    values = torch.from_numpy(padded.astype(np.float32).transpose(2, 0, 1)[None] / 255.0)
    with torch.no_grad():
        logits = functional.interpolate(net(values)[0], scale_factor=2, mode="bilinear", align_corners=False)
    return np.rint(255.0 * torch.sigmoid(logits)[0, 0, :rows, :columns].numpy()).astype(np.uint8)


def validation_loss(net, pairs):
    net.eval()
    total = 0.0
    with torch.no_grad():
        for image, share in pairs:
            rows, columns = image.shape[0] // 16 * 16, image.shape[1] // 16 * 16
            values = torch.from_numpy(image[:rows, :columns].astype(np.float32).transpose(2, 0, 1)[None] / 255.0)
            target = torch.from_numpy(share[:rows:2, :columns:2].astype(np.float32)[None, None] / 255.0)
            total += float(loss_of(net(values)[0], target))
    net.train()
    return total / len(pairs)


def train(options):
    torch.manual_seed(1)
    torch.set_num_threads(options.threads)
    folder, target = pathlib.Path(options.boundaries), pathlib.Path(options.net)
    pairs, held_out = read_split(folder, "train"), read_split(folder, "validate")
    net = Net()
    print("weights", sum(p.numel() for p in net.parameters()), "images", len(pairs), len(held_out), flush=True)
    optimiser = torch.optim.Adam(net.parameters(), lr=RATE, weight_decay=1e-5)
    step, spent = 0, 0.0
    if target.exists():
        state = torch.load(target)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["spent"]
    random = np.random.default_rng(1 + step)
    started, saved, mean, first = time.time() - spent, time.time(), 0.0, step
    while True:
        share_over = min((time.time() - started) / (60.0 * options.minutes), 1.0)
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / 200) * max(0.5 + 0.5 * math.cos(math.pi * share_over), 1e-3)
        images, shares = zip(*(sample(pairs, random) for _ in range(BATCH)))
        loss = total_loss(net, torch.from_numpy(np.stack(images)), torch.from_numpy(np.stack(shares)))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        mean += (float(loss) - mean) / min(step - first, 200)
        if time.time() - saved > 120.0 or share_over >= 1.0:
            saved = time.time()
            torch.save({"net": net.state_dict(), "optimiser": optimiser.state_dict(), "step": step,
                        "spent": saved - started}, target)
            print(f"{(saved - started) / 60:.1f} min, step {step}, loss {mean:.4f}, "
                  f"held out {validation_loss(net, held_out[::4]):.4f}", flush=True)
        if share_over >= 1.0:
            return


def read_net(path):
    torch.set_num_threads(1)
    net = Net()
    net.load_state_dict(torch.load(path)["net"])
    return net.eval()


def apply(options):
    net = read_net(options.net)
    folder = pathlib.Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    for name in options.images:
        cv2.imwrite(str(folder / (pathlib.Path(name).stem + ".png")), map_of(net, cv2.imread(name)))


def thin(values):
    """The map, 0 where it is not the largest across the boundary."""
    smooth = cv2.GaussianBlur(values, (0, 0), 1.0)
    second = [cv2.Sobel(cv2.GaussianBlur(values, (0, 0), 2.0), cv2.CV_32F, *order, ksize=5)
              for order in ((2, 0), (1, 1), (0, 2))]
    angle = 0.5 * np.arctan2(-2.0 * second[1], second[2] - second[0])  # of the larger curvature's direction
    angle = np.where(second[0] * np.cos(angle) ** 2 + 2 * second[1] * np.cos(angle) * np.sin(angle)
                     + second[2] * np.sin(angle) ** 2 > 0.5 * (second[0] + second[2]), angle + np.pi / 2, angle)
    y, x = np.mgrid[:values.shape[0], :values.shape[1]].astype(np.float32)
    across, down = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    kept = np.ones(values.shape, bool)
    for sign in (-1, 1):
        kept &= smooth * 1.005 >= cv2.remap(smooth, x + sign * across, y + sign * down, cv2.INTER_LINEAR,
                                            borderMode=cv2.BORDER_REPLICATE)
    return np.where(kept, values, 0.0)


def near(mask, tolerance):
    """Where a pixel of the mask is not farther than the tolerance."""
    return cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE) <= tolerance \
        if mask.any() else np.zeros(mask.shape, bool)


def counts(found, people, tolerance):
    """Found pixels near a boundary of any person, found pixels, people's pixels near a found one, people's pixels."""
    covered = near(found, tolerance)
    return np.array([(found & near(np.any(people, 0), tolerance)).sum(), found.sum(),
                     sum((one & covered).sum() for one in people), sum(one.sum() for one in people)], float)


def f_measure(count):
    precision, recall = count[0] / max(count[1], 1), count[2] / max(count[3], 1)
    return 2 * precision * recall / max(precision + recall, 1e-9), precision, recall


def lab_gradient(image):
    lab = cv2.GaussianBlur(cv2.cvtColor(image.astype(np.float32) / 255.0, cv2.COLOR_BGR2LAB), (0, 0), 1.0)
    slopes = [cv2.Sobel(lab, cv2.CV_32F, *order, scale=1 / 8) for order in ((1, 0), (0, 1))]
    return np.sqrt((slopes[0] ** 2 + slopes[1] ** 2).sum(2))


def canny(image, threshold):
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.4)
    return cv2.Canny(grey, 0.4 * threshold, threshold) > 0


def score(options):
    """Matching is by distance alone, many pixels to one, so these figures are above those of one-to-one matching."""
    net, folder = read_net(options.net), pathlib.Path(options.boundaries)
    steps = np.arange(1, 40) / 40.0
    total = {}
    for line in (folder / "split.txt").read_text().splitlines():
        name, kind = line.split()
        if kind != "validate":
            continue
        image = cv2.imread(str(folder / "images" / f"{name}.jpg"))
        people = [boundary_of(path) > 0 for path in sorted((folder / "segmentations").glob(f"{name}-*.png"))]
        tolerance = 0.0075 * math.hypot(*image.shape[:2])
        mine, colours = thin(map_of(net, image) / np.float32(255.0)), thin(lab_gradient(image))
        found = {"net": [mine > step for step in steps], "gradient of Lab": [colours > 30 * step for step in steps],
                 "Canny": [canny(image, 500 * step) for step in steps]}
        for kind, masks in found.items():
            total.setdefault(kind, []).append([counts(mask, people, tolerance) for mask in masks])
        total.setdefault("people", []).append(
            [sum(counts(people[i], people[:i] + people[i + 1:], tolerance) for i in range(len(people)))])
    for kind, rows in total.items():
        rows = np.array(rows)
        best = max((f_measure(count) for count in rows.sum(0)))
        each = sum(max(row, key=lambda count: f_measure(count)[0]) for row in rows)
        print(f"{kind}: ODS {best[0]:.3f} (precision {best[1]:.3f}, recall {best[2]:.3f}), OIS {f_measure(each)[0]:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("train")
    command.add_argument("boundaries")
    command.add_argument("net")
    command.add_argument("--minutes", type=float, default=65.0)
    command.add_argument("--threads", type=int, default=1)
    command = commands.add_parser("score")
    command.add_argument("net")
    command.add_argument("boundaries")
    command = commands.add_parser("apply")
    command.add_argument("net")
    command.add_argument("images", nargs="+")
    command.add_argument("--out", required=True)
    options = parser.parse_args()
    {"train": train, "score": score, "apply": apply}[options.command](options)


if __name__ == "__main__":
    main()
