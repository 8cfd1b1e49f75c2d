"""Draw strokes with the mouse, and the mask follows: a pysegment.Session behind a matplotlib window.

    python3 docs/examples/python/interactive.py [FOLDER]

Left button: the object; right button: the background; `u`: undo. With FOLDER, strokes are drawn by the script and the picture
is written there.
"""
# %%
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import pysegment

IMAGES = Path(__file__).resolve().parents[3] / "images"


# %% [markdown]
# What depends on the image alone is computed once, by `prepare`; each stroke then costs tens of milliseconds.
class Painter:
    def __init__(self, image, radius=3):
        self.session = pysegment.Session(image)
        self.session.prepare()
        self.image, self.radius = image, radius
        self.scribbles = np.zeros(image.shape[:2], np.uint8)
        self.before, self.label, self.result = [], 0, None
        self.figure, self.axes = plt.subplots(figsize=(6, 4.2))
        self.shown = self.axes.imshow(image)
        self.axes.set_axis_off()
        for event, method in (("button_press_event", self.press), ("motion_notify_event", self.move),
                              ("button_release_event", self.release), ("key_press_event", self.key)):
            self.figure.canvas.mpl_connect(event, method)

    def press(self, event):
        if event.inaxes is self.axes and event.button in (1, 3):
            self.before.append(self.scribbles.copy())
            self.label = 1 if event.button == 1 else 2
            self.move(event)

    def move(self, event):
        if self.label and event.inaxes is self.axes:
            row, column = int(event.ydata), int(event.xdata)
            at = (slice(max(row - self.radius, 0), row + self.radius + 1),
                  slice(max(column - self.radius, 0), column + self.radius + 1))
            self.scribbles[at] = self.label

    def release(self, _event):
        self.label = 0
        self.update()

    def key(self, event):
        if event.key == "u" and self.before:
            self.scribbles = self.before.pop()
            self.update()

    def update(self):
        if len(np.unique(self.scribbles)) < 3:  # a stroke of each label is needed
            self.shown.set_data(self.image)
        else:
            self.result = self.session.segment(self.scribbles)
            drawn = self.result.overlay()
            drawn[self.scribbles == 1], drawn[self.scribbles == 2] = (255, 255, 255), (0, 0, 0)
            self.shown.set_data(drawn)
            self.axes.set_title(f"{self.result.seconds * 1000:.0f} ms", fontsize=9)
        self.figure.canvas.draw_idle()


# %% [markdown]
# The same events that the mouse sends, for a picture without a person.
def stroke(painter, button, points):
    from matplotlib.backend_bases import MouseEvent

    canvas = painter.figure.canvas
    for at, (x, y) in enumerate(points):
        where = painter.axes.transData.transform((x, y))
        name = "button_press_event" if at == 0 else "motion_notify_event"
        canvas.callbacks.process(name, MouseEvent(name, canvas, *where, button=button))
    canvas.callbacks.process("button_release_event", MouseEvent("button_release_event", canvas, *where, button=button))


def main():
    painter = Painter(pysegment.read_image(IMAGES / "chelsea.jpg"))
    if len(sys.argv) < 2:
        plt.show()
        return
    height, width = painter.scribbles.shape
    stroke(painter, 1, [(x * width, y * height) for x, y in zip(np.linspace(0.35, 0.62, 60), np.linspace(0.35, 0.62, 60))])
    stroke(painter, 1, [(0.1 * width, y * height) for y in np.linspace(0.1, 0.8, 60)])
    stroke(painter, 3, [(0.97 * width, y * height) for y in np.linspace(0.1, 0.9, 60)])
    painter.figure.canvas.draw()
    painter.figure.tight_layout()
    painter.figure.savefig(Path(sys.argv[1]) / "python-interactive.jpg", dpi=100)
    print(f"object: {(painter.result.mask == 1).mean():.0%} of the image")


if __name__ == "__main__":
    main()
