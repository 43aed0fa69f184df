"""The result of a demo scene, and its text."""

from dataclasses import dataclass, field


@dataclass
class Picture:
    """A drawing for the page: SVG, a caption, and the folders of its traces."""

    svg: str
    caption: str
    traces: dict[str, str] = field(default_factory=dict)


@dataclass
class Scene:
    """`about` explains the scene on the page to newcomers. `problems` has a line for each wrong
    result; any of them fails the demo. `missing` is the reason why the scene was not shown."""

    title: str
    about: str = ""
    verdict: str = ""
    head: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    missing: str = ""

    @property
    def outcome(self):
        if self.missing:
            return "not shown: " + self.missing
        return "NOT CORRECT: " + self.problems[0] if self.problems else self.verdict


def is_number(text):
    return text[:1].isdigit() or text == "-"


def print_table(head, rows):
    widths = [max(map(len, column)) for column in zip(head, *rows)]
    right = [all(map(is_number, column)) for column in zip(*rows)]
    for line in (head, ["-" * width for width in widths], *rows):
        cells = [text.rjust(width) if to_right else text.ljust(width)
                 for text, width, to_right in zip(line, widths, right)]
        print("  " + "  ".join(cells).rstrip())


def print_scene(number, scene):
    print(f"{number}. {scene.title}\n   {scene.outcome}")
    if scene.rows:
        print()
        print_table(scene.head, scene.rows)
    for line in (*scene.notes, *scene.problems[1:]):
        print("  " + line)
    print(flush=True)
