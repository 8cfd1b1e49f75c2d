#!/usr/bin/env python3
"""Train the net that tells a marked object from its background, or write it for the program.

    train-object.py train BOUNDARIES MSRC ICG NET.pt [--seconds 560] [--batch 64] [--from NET.pt] [--seed 1]
    train-object.py score NET.pt BOUNDARIES MSRC ICG
    train-object.py export NET.pt src/masks/object_net.bin

BOUNDARIES holds images/ID.jpg, segmentations/ID-N.png and split.txt (train or validate); MSRC holds Images/X_Y_s.bmp and
GroundTruth/X_Y_s_GT.bmp; ICG holds images/IMAGE.jpg and all/IMAGE_USER.gt. An object is a segment that a person drew, or
it and a neighbour or two, in its image or pasted into another; it is marked by dots and strokes, and then where the net's
answer is wrong. The step length falls with the share of the seconds that is over,
so the net depends on the machine. `score` prints the IoU after 1, 2, 3, 5 and 8 clicks on the images held out. The
program has the same layers in src/masks/object_net.c. It needs PyTorch, on a GPU for any result worth having, and
OpenCV. How the program's net was trained, and what it is worth: docs/history/first-clicks.md, "A net".
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

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SIZES = (256, 168), (352, 240)  # of the images of a batch, and how likely the second is
LARGER = 0.75
SEEN = (16, 24, 40, 64)  # channels of the encoder at 1/2, 1/4, 1/8 and 1/16
ASKED = (32, 48, 64)  # and of the decoder from 1/4 on
EMBED = 16
NEAR, FAR = 5.0, 40.0
POINTS = 96  # at most, of a label
RATE = 3e-3


def convolution(before, after):
    return nn.Sequential(nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU())


class Block(nn.Module):
    """Two 3 x 3 convolutions beside a 1 x 1 convolution."""

    def __init__(self, before, after):
        super().__init__()
        self.one = convolution(before, after)
        self.two = nn.Sequential(nn.Conv2d(after, after, 3, padding=1, bias=False), nn.BatchNorm2d(after))
        self.beside = nn.Conv2d(before, after, 1, bias=False)

    def forward(self, values):
        return functional.relu(self.two(self.one(values)) + self.beside(values))


def enlarged(values, like):
    return functional.interpolate(values, size=like.shape[2:], mode="bilinear", align_corners=False)


class Encoder(nn.Module):
    """What is seen of an image whatever is marked: features from coarse to fine, and an embedding at 1/4."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, SEEN[0], 4, 2, 1, bias=False), nn.BatchNorm2d(SEEN[0]), nn.ReLU())
        self.b1, self.b2 = Block(SEEN[0], SEEN[0]), Block(SEEN[0], SEEN[1])
        self.b3, self.b4 = Block(SEEN[1], SEEN[2]), Block(SEEN[2], SEEN[3])
        self.l3, self.l2 = nn.Conv2d(SEEN[3], SEEN[2], 1), nn.Conv2d(SEEN[2], SEEN[1], 1)
        self.s3, self.s2 = convolution(SEEN[2], SEEN[2]), convolution(SEEN[1], SEEN[1])
        self.embed = nn.Conv2d(SEEN[1], EMBED, 1)

    def forward(self, image):
        at2 = self.b1(self.stem(image))
        at4 = self.b2(functional.max_pool2d(at2, 2))
        at8 = self.b3(functional.max_pool2d(at4, 2))
        at16 = self.b4(functional.max_pool2d(at8, 2))
        at8 = self.s3(at8 + enlarged(self.l3(at16), at8))
        at4 = self.s2(at4 + enlarged(self.l2(at8), at4))
        return at2, at4, at8, at16, functional.normalize(self.embed(at4), dim=1)


class Decoder(nn.Module):
    """The object's logits at 1/2."""

    def __init__(self):
        super().__init__()
        self.d2, self.d3 = Block(SEEN[1] + 10, ASKED[0]), Block(ASKED[0] + SEEN[2], ASKED[1])
        self.d4 = Block(ASKED[1] + SEEN[3], ASKED[2])
        self.whole = nn.Linear(ASKED[2], ASKED[2])
        self.l3, self.l2 = nn.Conv2d(ASKED[2], ASKED[1], 1), nn.Conv2d(ASKED[1], ASKED[0], 1)
        self.l1, self.out = nn.Conv2d(ASKED[0], SEEN[0], 1), nn.Conv2d(SEEN[0], 1, 1)
        self.s3, self.s2 = convolution(ASKED[1], ASKED[1]), convolution(ASKED[0], ASKED[0])
        self.s1 = convolution(SEEN[0], SEEN[0])

    def forward(self, seen, maps):
        at4 = self.d2(torch.cat([seen[1], maps], 1))
        at8 = self.d3(torch.cat([functional.max_pool2d(at4, 2), seen[2]], 1))
        at16 = self.d4(torch.cat([functional.max_pool2d(at8, 2), seen[3]], 1))
        at16 = at16 + self.whole(at16.mean((2, 3)))[:, :, None, None]
        at8 = self.s3(at8 + enlarged(self.l3(at16), at8))
        at4 = self.s2(at4 + enlarged(self.l2(at8), at4))
        return self.out(self.s1(seen[0] + enlarged(self.l1(at4), seen[0])))[:, 0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc, self.dec = Encoder(), Decoder()

    @staticmethod
    def maps(embedding, points, shape):
        """Of each label: nearness at two scales, the largest likeness and the mean, whether anything is marked. points:
        images x 2 x POINTS x 3, each y, x and whether it counts."""
        count, _, height, width = embedding.shape
        y = (torch.arange(height, device=embedding.device) + 0.5) * shape[0] / height
        x = (torch.arange(width, device=embedding.device) + 0.5) * shape[1] / width
        maps = []
        for label in range(2):
            at, counts = points[:, label], (points[:, label, :, 2] > 0)[:, :, None, None]
            distance2 = (y[None, None, :, None] - at[:, :, 0, None, None]) ** 2 + \
                (x[None, None, None, :] - at[:, :, 1, None, None]) ** 2
            distance2 = torch.where(counts, distance2, torch.full_like(distance2, 1e9)).amin(1)
            row = (at[:, :, 0] * height / shape[0]).long().clamp(0, height - 1)
            column = (at[:, :, 1] * width / shape[1]).long().clamp(0, width - 1)
            marked = embedding.flatten(2).gather(2, (row * width + column)[:, None, :].expand(-1, EMBED, -1))
            likeness = torch.einsum("ben,behw->bnhw", marked, embedding)
            maps += [torch.exp(-distance2 / (2 * NEAR ** 2)), torch.exp(-distance2.clamp(max=1e8).sqrt() / FAR),
                     torch.where(counts, likeness, torch.full_like(likeness, -1)).amax(1),
                     (likeness * counts).sum(1) / counts.sum(1).clamp(min=1),
                     counts.any(1).float().expand(count, height, width)]
        return torch.stack(maps, 1)

    def forward(self, image, points, seen=None):
        seen = self.enc(image) if seen is None else seen
        return self.dec(seen, self.maps(seen[4], points, image.shape[2:]))


# ---- Images and segments ----

def numbered(labels):
    return np.unique(labels, return_inverse=True)[1].reshape(labels.shape)


def boundaries(folder):
    """(part, image, [segments]) of each image of BSDS500."""
    for line in (folder / "split.txt").read_text().splitlines():
        name, part = line.split()
        segments = [numbered(cv2.imread(str(path), cv2.IMREAD_UNCHANGED))
                    for path in sorted((folder / "segmentations").glob(f"{name}-*.png"))]
        segments = [s for s in segments if s.max() > 0]
        if segments:
            yield part, cv2.imread(str(folder / "images" / f"{name}.jpg")), segments


def classes(folder):
    """Likewise of each image of MSRC: the connected pieces of a class; void goes to the nearest one."""
    for path in sorted((folder / "Images").glob("*.bmp")):
        code = cv2.imread(str(folder / "GroundTruth" / path.name.replace("_s", "_s_GT"))).astype(np.int64)
        code = code @ np.array([65536, 256, 1])
        void = (code == 0).astype(np.uint8)
        if void.mean() > 0.5:
            continue
        nearest = cv2.distanceTransformWithLabels(void, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)[1]
        of = np.zeros(nearest.max() + 1, np.int64)
        of[nearest[void == 0]] = code[void == 0]
        code, pieces = of[nearest], np.zeros(code.shape, np.int64)
        for value in np.unique(code):
            found = cv2.connectedComponents((code == value).astype(np.uint8))[1]
            pieces[found > 0] = found[found > 0] + pieces.max()
        if pieces.max() > 1:
            size = (321, 481) if code.shape[0] > code.shape[1] else (481, 321)
            yield "train", cv2.resize(cv2.imread(str(path)), size, interpolation=cv2.INTER_CUBIC), \
                [cv2.resize(pieces.astype(np.uint16), size, interpolation=cv2.INTER_NEAREST) - 1]


def regions(folder):
    """Likewise of each image of ICGBench: what its users marked and drew."""
    for path in sorted((folder / "images").glob("*.jpg")):
        image, segments = cv2.imread(str(path)), []
        for truth in sorted((folder / "all").glob(f"{path.stem}_*.gt")):
            runs = np.array(truth.read_text().split("LABELS:")[2].split("SEEDS:")[0].split(), np.int64).reshape(-1, 2)
            labels = np.repeat(runs[:, 0], runs[:, 1]).reshape(image.shape[:2])
            segments.append(cv2.resize(labels.astype(np.uint16), (481, 321), interpolation=cv2.INTER_NEAREST))
        if segments:
            yield "train", cv2.resize(image, (481, 321), interpolation=cv2.INTER_AREA), segments


def load(arguments):
    """Of each part and format: images, segments, and of each image its first segmentation and their number."""
    groups, data = {}, {}
    for part, image, segments in [*boundaries(arguments.boundaries), *classes(arguments.msrc),
                                  *regions(arguments.icg)]:
        groups.setdefault((part, image.shape[0] > image.shape[1]), []).append((image[..., ::-1], segments))
    for key, rows in groups.items():
        counts = [len(segments) for _, segments in rows]
        images = torch.from_numpy(np.stack([image for image, _ in rows])).permute(0, 3, 1, 2).contiguous()
        segments = torch.from_numpy(np.stack([s for _, all_of in rows for s in all_of]).astype(np.int16)).to(DEVICE)
        first = torch.tensor(np.cumsum([0] + counts[:-1]), device=DEVICE)
        data[key] = (images.to(DEVICE), segments, first, torch.tensor(counts, device=DEVICE),
                     segments.flatten(1).amax(1))
    return data


def chance(*shape):
    return torch.rand(*shape, device=DEVICE)


def on_frame(masks):
    """The share of the frame that is in each mask, the last two dimensions."""
    return torch.cat([masks[..., 0, :], masks[..., -1, :], masks[..., :, 0], masks[..., :, -1]], -1).float().mean(-1)


def painted(image):
    """The image with other light, colours and noise."""
    count = len(image)
    image = torch.where(chance(count, 1, 1, 1) < 0.1, image.mean(1, keepdim=True).expand_as(image), image)
    image = (image - 0.5) * (0.6 + 0.7 * chance(count, 1, 1, 1)) + 0.5 + 0.3 * (chance(count, 1, 1, 1) - 0.5)
    image = image * (1 + 0.3 * (chance(count, 3, 1, 1) - 0.5))
    image = image.clamp(0, 1) ** (0.7 + 0.8 * chance(count, 1, 1, 1))
    return image + torch.randn_like(image) * 0.04 * chance(count, 1, 1, 1) * (chance(count, 1, 1, 1) < 0.4)


def pasted(image, target):
    """Each image with the object of another one, smaller, in place of its own object."""
    count, _, height, width = image.shape
    size, turn = 0.25 + 0.75 * chance(count), (chance(count) * 2 - 1) * 0.4
    x, y = ((chance(count) * 2 - 1) * (1 - size) for _ in range(2))
    cos, sin, aspect = turn.cos() / size, turn.sin() / size, width / height
    where = torch.stack([torch.stack([cos, -sin / aspect, -x / size], 1),
                         torch.stack([sin * aspect, cos, -y / size], 1)], 1)
    grid = functional.affine_grid(where, (count, 1, height, width), align_corners=False)
    both = torch.cat([image, target[:, None]], 1).roll(1, 0)
    both = functional.grid_sample(both, grid, align_corners=False)
    object_of = (both[:, 3] > 0.5).float()
    share = torch.where(chance(count, 1, 1, 1) < 0.5, functional.avg_pool2d(object_of[:, None], 3, 1, 1), both[:, 3:])
    area = object_of.mean((1, 2))
    take = (area > 0.002) & (area < 0.6)
    return torch.where(take[:, None, None, None], image + share * (both[:, :3] - image), image), \
        torch.where(take[:, None, None], object_of, target)


def batch(data, count, part="train", size=SIZES[0]):
    """Images in -0.5..0.5 and their objects: crops of 0.45 to 1.15 of an image, turned, stretched and mirrored."""
    train, tall = part == "train", np.random.rand() < 0.3
    images, segments, first, counts, finest = data[(part, tall)]
    height, width = size if tall else size[::-1]
    which = torch.randint(len(images), (count,), device=DEVICE)
    drawn, other = (first[which] + (chance(count) * counts[which]).long() for _ in range(2))
    drawn = torch.where((finest[other] < finest[drawn]) & (chance(count) < 0.7), other, drawn)
    one, turn = torch.ones(count, device=DEVICE), torch.zeros(count, device=DEVICE)
    across = down = flip = one
    if train:
        size = torch.where(chance(count) < 0.3, one, 0.45 + 0.7 * chance(count))
        across, down = size * (0.85 + 0.15 * chance(count)), size * (0.85 + 0.15 * chance(count))
        turn = (chance(count) * 2 - 1) * 0.25 * (chance(count) < 0.4)
        flip = torch.where(chance(count) < 0.5, -1.0, 1.0)
    x, y = ((chance(count) * 2 - 1) * (1 - side).abs() for side in (across, down))
    aspect = width / height
    where = torch.stack([torch.stack([across * flip * turn.cos(), -across * turn.sin() / aspect, x], 1),
                         torch.stack([down * flip * turn.sin() * aspect, down * turn.cos(), y], 1)], 1)
    grid = functional.affine_grid(where, (count, 1, height, width), align_corners=False)
    whole = images[which].float()
    smooth = functional.avg_pool2d(functional.pad(whole, (1, 1, 1, 1), mode="replicate"), 3, 1)
    image = functional.grid_sample((whole + smooth) / 510, grid, padding_mode="reflection", align_corners=False)
    label = functional.grid_sample(segments[drawn][:, None].float(), grid, mode="nearest", padding_mode="reflection",
                                   align_corners=False)[:, 0].round()
    # One of ten random pixels' segments: rather one that is not at the frame, nor small, nor most of the image.
    pixel = (chance(count, 10) * height).long() * width + (chance(count, 10) * width).long()
    masks = label[:, None] == label.flatten(1).gather(1, pixel)[:, :, None, None]
    area = masks.float().mean((2, 3))
    weight = torch.exp(-on_frame(masks) * 12) * area / (area + 0.02) * ((area > 0.003) & (area < 0.7)) + 1e-9
    target = masks[torch.arange(count), torch.multinomial(weight, 1)[:, 0]].float()
    for _ in range(3):  # and neighbours, the more likely the longer the common border
        ring = functional.max_pool2d(target[:, None], 5, 1, 2)[:, 0] * (1 - target)
        neighbour = label.flatten(1).gather(1, torch.multinomial(ring.flatten(1) + 1e-9, 1))[:, :, None]
        more = (label == neighbour).float()
        both = torch.maximum(target, more)
        take = (chance(count) < 0.4) & (ring.flatten(1).sum(1) > 0) & (on_frame(more) < 0.05)
        target = torch.where((take & (both.mean((1, 2)) < 0.6))[:, None, None], both, target)
    if train and np.random.rand() < 0.15:
        image, target = pasted(image, target)
    return (painted(image) if train else image) - 0.5, target


# ---- Marks ----

def depth(mask, steps=26):
    """How often a mask of 0 and 1 can be eroded; what is outside of the image is outside of the mask."""
    out = functional.pad(1 - mask[:, None], (1, 1, 1, 1), value=1.0)
    total = torch.zeros_like(out)
    for step in range(steps):
        total -= out
        out = functional.max_pool2d(out, 3, 1, 1) if step % 2 else torch.maximum(
            functional.max_pool2d(out, (3, 1), 1, (1, 0)), functional.max_pool2d(out, (1, 3), 1, (0, 1)))
    return (total + steps)[:, 0, 1:-1, 1:-1] * mask


class Marks:
    """Points of a batch, in pixels of the images; masks are half as large. A dot is a disc of at most `reach` pixels, five
    points, and may be wider than what it marks."""

    def __init__(self, count, reach=0.0):
        self.reach = reach * chance(count) * (chance(count) < 0.75)
        self.points = torch.zeros(count, 2, POINTS, 3, device=DEVICE)
        self.used = torch.zeros(count, 2, dtype=torch.long, device=DEVICE)

    def add(self, where, label, y, x):
        """Points (images x n) of a label where `where` holds."""
        row = torch.arange(len(y), device=DEVICE)[:, None]
        at = (self.used[:, label, None] + torch.arange(y.shape[1], device=DEVICE)).clamp(max=POINTS - 1)
        new = torch.stack([2 * y.float() + 1, 2 * x.float() + 1, torch.ones_like(y, dtype=torch.float)], 2)
        self.points[row, label, at] = torch.where(where[..., None], new, self.points[row, label, at])
        self.used[:, label] += where.sum(1)

    def add_largest(self, score, label, where):
        value, index = score.flatten(1).max(1)
        y, x = index // score.shape[2], index % score.shape[2]
        self.add((where & (value > 0))[:, None], label, y[:, None], x[:, None])
        side = self.reach[:, None] / 2 * torch.tensor([[1.0, -1.0, 0.0, 0.0]], device=DEVICE)
        y, x = y[:, None] + side, x[:, None] + side.roll(2, 1)
        inside = (y > -0.5) & (x > -0.5) & (y < score.shape[1] - 0.5) & (x < score.shape[2] - 0.5)
        self.add((where & (value > 0) & (self.reach > 0))[:, None] & inside, label, y, x)

    def begin(self, mask):
        """A point of the object, up to two more of each label, and sometimes a stroke."""
        count, height, width = mask.shape
        depths = depth(torch.cat([mask, 1 - mask])).split(count)

        def point(where, label, share):
            least = (share * depths[label].flatten(1).amax(1))[:, None, None]
            score = (depths[label] >= least) & (depths[label] > 0)
            self.add_largest(score * (chance(count, height, width) + 0.01), label, where)

        one = torch.ones(count, device=DEVICE)
        point(one > 0, 0, torch.where(chance(count) < 0.4, one, chance(count)))
        for _ in range(2):
            point(chance(count) < 0.3, 0, chance(count) * 0.7)
            point(chance(count) < 0.42, 1, chance(count) ** 2)
        for label, inside in ((0, mask), (1, 1 - mask)):
            index = ((depths[label] > 1.5) * (chance(count, height, width) + 0.01)).flatten(1).argmax(1)[:, None]
            step, turn = torch.arange(8, device=DEVICE)[None], (chance(count, 1) - 0.5) * 0.4
            angle, length = chance(count, 1) * 2 * math.pi + step * turn, 1 + 3 * chance(count, 1)
            y, x = index // width + (angle.sin() * length).cumsum(1), index % width + (angle.cos() * length).cumsum(1)
            row, column = y.round().long(), x.round().long()
            valid = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            at = row.clamp(0, height - 1) * width + column.clamp(0, width - 1)
            valid &= inside.flatten(1).gather(1, at) > 0.5
            self.add((valid.long().cumprod(1) * (chance(count) < 0.2)[:, None]) > 0, label, y, x)

    def correct(self, mask, probability):
        """A click where the error is deepest."""
        answer = (probability > 0.5).float()
        missed, false = depth(torch.cat([mask * (1 - answer), (1 - mask) * answer])).split(len(mask))
        more = missed.flatten(1).amax(1) >= false.flatten(1).amax(1)
        self.add_largest(missed + chance(*missed.shape) * 0.5 * (missed > 0), 0, more)
        self.add_largest(false + chance(*false.shape) * 0.5 * (false > 0), 1, ~more)


# ---- Training ----

def loss_of(logit, target):
    """Cross entropy, the same where the net is wrong, and 1 - IoU."""
    entropy = functional.binary_cross_entropy_with_logits(logit, target, reduction="none")
    wrong, probability = 1 - torch.exp(-entropy), torch.sigmoid(logit)
    share = wrong.mean((1, 2), keepdim=True).detach() + 0.02
    both = (probability * target).sum((1, 2))
    either = (probability + target).sum((1, 2)) - both
    return 0.3 * (wrong * entropy / share).mean() + entropy.mean() + (1 - both / either.clamp(min=1)).mean()


@torch.no_grad()
def score(net, data, size, clicks=(1, 2, 3, 5, 8)):
    state = torch.get_rng_state(), np.random.get_state()
    torch.manual_seed(7)
    np.random.seed(7)
    net.eval()
    rows = []
    for _ in range(4):
        image, target = batch(data, 66, "validate", size)
        mask = (functional.avg_pool2d(target[:, None], 2)[:, 0] > 0.5).float()
        marks, seen, row = Marks(66, 2.5), net.enc(image), []
        marks.add_largest(depth(mask), 0, torch.ones(66, dtype=torch.bool, device=DEVICE))
        for click in range(1, max(clicks) + 1):
            probability = torch.sigmoid(net(image, marks.points, seen).float())
            answer = (probability > 0.5).float()
            if click in clicks:
                union = torch.maximum(answer, mask).sum((1, 2)).clamp(min=1)
                row.append(((answer * mask).sum((1, 2)) / union).mean().item())
            marks.correct(mask, probability)
        rows.append(row)
    torch.set_rng_state(state[0])
    np.random.set_state(state[1])
    return np.mean(rows, 0).round(3)


def train(arguments):
    torch.manual_seed(arguments.seed)
    np.random.seed(arguments.seed)
    data, net, kept = load(arguments), *(Net().to(DEVICE, memory_format=torch.channels_last) for _ in range(2))
    if arguments.start:
        net.load_state_dict(read_net(arguments.start).state_dict())
    kept.load_state_dict(net.state_dict())
    mine, theirs = ([v for v in n.state_dict().values() if v.dtype.is_floating_point] for n in (kept, net))
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    begun = last = time.time()
    step = 0
    while (done := (time.time() - begun) / arguments.seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 200) * (0.5 + 0.5 * math.cos(math.pi * done))
        image, target = batch(data, arguments.batch, size=SIZES[int(np.random.rand() < LARGER)])
        target = functional.avg_pool2d(target[:, None], 2)[:, 0]
        mask, marks = (target > 0.5).float(), Marks(arguments.batch, 2.5)
        marks.begin(mask)
        with torch.autocast(DEVICE, torch.bfloat16, enabled=DEVICE == "cuda"):
            net.eval()
            with torch.no_grad():
                seen = net.enc(image)
                for _ in range(np.random.choice([0, 1, 2, 4, 8], p=[0.3, 0.2, 0.2, 0.2, 0.1])):
                    marks.correct(mask, torch.sigmoid(net(image, marks.points, seen).float()))
            net.train()
            logit = net(image, marks.points)
        optimiser.zero_grad(set_to_none=True)
        loss_of(logit.float(), target).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        step += 1
        with torch.no_grad():  # the running mean of the weights is what is kept
            decay = min(0.999, step / (step + 100))
            torch._foreach_mul_(mine, decay)
            torch._foreach_add_(mine, theirs, alpha=1 - decay)
        if time.time() - last > max(15, arguments.seconds / 12):
            last = time.time()
            print(f"{last - begun:.0f} s, step {step}: IoU {[list(score(kept, data, size)) for size in SIZES]}", flush=True)
    torch.save({"state": {name: value.cpu() for name, value in kept.state_dict().items()}}, arguments.net)
    print(f"step {step}: IoU {[list(score(kept, data, size)) for size in SIZES]}")


# ---- For the program ----

def folded(layer, norm=None):
    weight = layer.weight.detach().double()
    weight = weight.reshape(*weight.shape[:2], *(weight.shape[2:] or (1, 1)))
    bias = layer.bias.detach().double() if layer.bias is not None else torch.zeros(len(weight), dtype=torch.double)
    if norm is not None:
        factor = norm.weight.detach().double() / (norm.running_var.double() + norm.eps).sqrt()
        weight = weight * factor[:, None, None, None]
        bias = (bias - norm.running_mean.double()) * factor + norm.bias.detach().double()
    return weight.numpy(), bias.numpy()


def layers(net):
    """In the order of src/masks/object_net.c."""
    def block(b):
        return [folded(*b.one[:2]), folded(*b.two), folded(b.beside)]

    e, d = net.enc, net.dec
    weight, bias = folded(*e.stem[:2])  # 4 x 4 of every second pixel: 3 x 3 of squares of four pixels
    squares = np.zeros((len(weight), 12, 3, 3))
    for y in range(4):
        for x in range(4):
            row, column = (y - 1) // 2, (x - 1) // 2
            place = 2 * (y - 1 - 2 * row) + x - 1 - 2 * column
            squares[:, place::4, row + 1, column + 1] = weight[:, :, y, x]
    return [(squares, bias), *block(e.b1), *block(e.b2), *block(e.b3), *block(e.b4), folded(e.l3), folded(*e.s3[:2]),
            folded(e.l2), folded(*e.s2[:2]), folded(e.embed), *block(d.d2), *block(d.d3), *block(d.d4), folded(d.whole),
            folded(d.l3), folded(*d.s3[:2]), folded(d.l2), folded(*d.s2[:2]), folded(d.l1), folded(*d.s1[:2]),
            folded(d.out)]


def read_net(path):
    net = Net().to(DEVICE)
    net.load_state_dict({name: value for name, value in torch.load(path, map_location=DEVICE)["state"].items()
                         if name != "scale"})
    return net.eval()


def export(arguments):
    """Scales and biases in single precision, weights in eight bits."""
    written = b""
    for weight, bias in layers(read_net(arguments.net).cpu()):
        scale = np.maximum(np.abs(weight).reshape(len(weight), -1).max(1), 1e-12) / 127
        whole = np.rint(weight / scale[:, None, None, None]).astype(np.int8)
        written += scale.astype("<f4").tobytes() + bias.astype("<f4").tobytes() + whole.tobytes()
    arguments.out.write_bytes(written)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("train", "score"):
        command = commands.add_parser(name)
        names = ("boundaries", "msrc", "icg", "net") if name == "train" else ("net", "boundaries", "msrc", "icg")
        for argument in names:
            command.add_argument(argument, type=pathlib.Path)
        if name == "train":
            command.add_argument("--seconds", type=float, default=560)
            command.add_argument("--batch", type=int, default=64)
            command.add_argument("--seed", type=int, default=1)
            command.add_argument("--from", dest="start", type=pathlib.Path)
    command = commands.add_parser("export")
    command.add_argument("net", type=pathlib.Path)
    command.add_argument("out", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.command == "score":
        net, data = read_net(arguments.net), load(arguments)
        print([list(score(net, data, size)) for size in SIZES])
    else:
        {"train": train, "export": export}[arguments.command](arguments)


if __name__ == "__main__":
    main()
