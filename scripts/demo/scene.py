"""What a scene of the demo comes to, and how it is printed."""

from dataclasses import dataclass, field


class Missing(Exception):
    """A scene cannot be shown; the message says what is not there, and which package brings it."""


@dataclass
class Picture:
    """A drawing of the page: SVG, a caption, and the folders of the traces that it was made from."""

    svg: str
    caption: str
    traces: dict[str, str] = field(default_factory=dict)


@dataclass
class Scene:
    """`about`: what the page tells those who see loomp for the first time. `problems`: what is not correct, a line each; any fails the demo. `missing`: why it was not shown."""

    title: str
    about: str = ""
    verdict: str = ""
    head: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    figures: dict = field(default_factory=dict)
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
    table = [head, *rows]
    widths = [max(len(line[i]) for line in table) for i in range(len(head))]
    right = [all(is_number(line[i]) for line in rows) for i in range(len(head))]
    for number, line in enumerate(table):
        cells = [text.rjust(widths[i]) if right[i] else text.ljust(widths[i])
                 for i, text in enumerate(line)]
        print("  " + "  ".join(cells).rstrip())
        if number == 0:
            print("  " + "  ".join("-" * width for width in widths))


def print_scene(number, scene):
    print(f"{number}. {scene.title}\n   {scene.outcome}")
    if scene.rows:
        print()
        print_table(scene.head, scene.rows)
    for line in (*scene.notes, *scene.problems[1:]):
        print("  " + line)
    print(flush=True)
