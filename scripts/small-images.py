#!/usr/bin/env python3
"""small-images.py N FOLDER: N images of 96 x 64 pixels for measurements of a batch, a disc on a striped ground each, in
FOLDER/photos, and two strokes for each in FOLDER/scribbles."""
import os
import random
import sys

WIDTH, HEIGHT = 96, 64


def write(path, pixels):
    with open(path, "wb") as file:
        file.write(b"P6 %d %d 255\n" % (WIDTH, HEIGHT) + pixels)


def draw(number, folder):
    chance = random.Random(number)
    x0, y0, radius = chance.randrange(35, 61), chance.randrange(26, 38), chance.randrange(12, 22)
    ground = [(60 + (x * 7 + number) % 40, 110 + x % 30, 60 + chance.randrange(40)) for x in range(WIDTH)]
    disc = (200 - chance.randrange(40), 70, 60)
    photo, strokes = bytearray(), bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            photo += bytes(disc if (x - x0) ** 2 + (y - y0) ** 2 <= radius**2 else ground[x])
            inside, outside = abs(y - y0) < 2 and abs(x - x0) < 7, 3 < x < 6 and 4 < y < 60
            strokes += b"\xff\0\0" if inside else b"\0\0\xff" if outside else b"\0\0\0"
    write(f"{folder}/photos/{number:05d}.ppm", bytes(photo))
    write(f"{folder}/scribbles/{number:05d}.ppm", bytes(strokes))


for part in ("photos", "scribbles"):
    os.makedirs(f"{sys.argv[2]}/{part}", exist_ok=True)
for i in range(int(sys.argv[1])):
    draw(i, sys.argv[2])
