"""The little Tcl that DejaGnu directives are written in: words in braces, in quotes, or bare."""

ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


def split_words(text):
    """The words of a Tcl command. Braces keep their content as it is, quotes substitute escapes."""
    words = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] == "{":
            word, at = _braced(text, at)
            words.append(word)
        elif text[at] == '"':
            word, at = _quoted(text, at)
            words.append(word)
        else:
            end = at
            while end < len(text) and not text[end].isspace():
                end += 1
            words.append(text[at:end])
            at = end
    return words


def _braced(text, at):
    depth = 0
    for end in range(at, len(text)):
        if text[end] == "{":
            depth += 1
        elif text[end] == "}":
            depth -= 1
            if depth == 0:
                return text[at + 1 : end].strip(), end + 1
    raise ValueError("unbalanced brace in " + text)


def _quoted(text, at):
    out = []
    end = at + 1
    while end < len(text):
        if text[end] == "\\" and end + 1 < len(text):
            out.append(ESCAPES.get(text[end + 1], text[end + 1]))
            end += 2
        elif text[end] == '"':
            return "".join(out), end + 1
        else:
            out.append(text[end])
            end += 1
    raise ValueError("unbalanced quote in " + text)
