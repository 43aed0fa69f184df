"""How different two colours are, for all eyes and for those without red or green."""

import math
import re

# Linear RGB as seen without red (protanopia) and without green (deuteranopia): Machado, Oliveira and Fernandes, 2009.
_EYES = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
_TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))


def _times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def _lab(colour, eyes):
    """CIELAB of a text as #rrggbb."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    seen = [min(1, max(0, c)) for c in _times(_EYES[eyes], linear)]
    x, y, z = (c / sum(row) for c, row in zip(_times(_TO_XYZ, seen), _TO_XYZ))
    x, y, z = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _ciede2000(one, other):
    """The difference by the formula CIEDE2000; its names are the formula's."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(c**7 / (c**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    grey = c1 * c2 == 0
    dh = 0 if grey else (h2 - h1 + 180) % 360 - 180
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh) / 2)
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    h = h1 + h2 if grey else (h1 + dh / 2) % 360
    cos = lambda angle: math.cos(math.radians(angle))  # noqa: E731
    t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63)
    sl, sc, sh = 1 + 0.015 * (l - 50) ** 2 / math.sqrt(20 + (l - 50) ** 2), 1 + 0.045 * c, 1 + 0.015 * c * t
    turn = -2 * math.sqrt(c**7 / (c**7 + 25**7)) * math.sin(math.radians(60 * math.exp(-(((h - 275) / 25) ** 2))))
    l, c, h = (l2 - l1) / sl, (c2 - c1) / sc, hue / sh
    return math.sqrt(l * l + c * c + h * h + turn * c * h)


def distance(one, other):
    """The least for any eyes; 2 is a difference that one sees with both side by side."""
    return min(_ciede2000(_lab(one, eyes), _lab(other, eyes)) for eyes in _EYES)


def too_alike(colours, least=15):
    """The pairs of {name: colour} whose distance is less, with the distance."""
    names = list(colours)
    return [(a, b, round(distance(colours[a], colours[b]), 1)) for i, a in enumerate(names) for b in names[i + 1 :]
            if distance(colours[a], colours[b]) < least]  # fmt: skip


def themes(style):
    """The colours of a style sheet by their names: the light theme's, and the dark one's."""
    light, dark = style.split("@media (prefers-color-scheme: dark)", 1)
    found = dict(re.findall(r"--([\w-]+): (#\w{6});", light))
    return {"light": found, "dark": {**found, **dict(re.findall(r"--([\w-]+): (#\w{6});", dark))}}
