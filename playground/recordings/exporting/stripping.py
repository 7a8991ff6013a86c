"""Comments, indentation and spaces taken out of JavaScript and CSS; strings, templates and regular expressions stay.

Not a minifier: names and line ends stay. Used by joining.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

Kind = Literal["code", "comment", "literal"]


class Token(NamedTuple):
    kind: Kind
    text: str


_QUOTED: Final = r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'"
_STRING: Final = re.compile(_QUOTED, re.S)
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_REGEX: Final = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_TEMPLATE: Final = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.S)
_CODE: Final = re.compile(r"""[^"'`/{}]+|[/{}]""")
_BEFORE_REGEX: Final = re.compile(
    r"(?:^|[(,=:\[!&|?{;+\-*%<>~^]|(?<![\w$.])(?:return|typeof|case|in|of|delete|void|throw|do|else|yield|await))\s*$"
)
_LINE_END: Final = re.compile(r"[ \t]*\n\s*")
# Signs that no neighbour can make another sign of, and + - * between two words. Statements end with a semicolon.
_SPACED: Final = re.compile(r"\s*([,;:(){}\[\]=?&|<>])\s*|(?<=[\w)\]]) ([+*-]) (?=[\w(\[])")
_CSS_SPACED: Final = re.compile(r"\s*([{};,])\s*|(?<=:)\s+")
_CSS: Final = re.compile(_QUOTED + r"|/\*.*?\*/", re.S)


class NotJavaScript(Exception):
    """What stands at an offset is no token. Modules of this project are tokens to their end."""


def tokens(source: str) -> Iterator[Token]:
    """The whole source, token by token. Raises NotJavaScript."""
    position = 0
    before = ""
    # Braces that are open in each template's expression.
    depths: list[int] = []
    while position < len(source):
        character = source[position]
        kind: Kind = "literal"
        if character in "\"'":
            match = _STRING.match(source, position)
        elif character == "`":
            match = _TEMPLATE.match(source, position + 1)
            if match and match[0].endswith("{"):
                depths.append(0)
        elif character == "}" and depths and depths[-1] == 0:
            match = _TEMPLATE.match(source, position + 1)
            if match and match[0].endswith("`"):
                depths.pop()
        elif character == "/" and source[position : position + 2] in {"//", "/*"}:
            kind, match = "comment", _COMMENT.match(source, position)
        elif character == "/" and _BEFORE_REGEX.search(before):
            match = _REGEX.match(source, position)
        else:
            kind, match = "code", _CODE.match(source, position)
            if depths and character in "{}":
                depths[-1] += 1 if character == "{" else -1
        if match is None:
            raise NotJavaScript(f"offset {position}: {source[position : position + 40]!r}")
        text = source[position : match.end()]
        yield Token(kind, text)
        if kind == "literal":
            # What follows a literal divides it; what follows the `${` of a template may be a regular expression.
            before = "(" if text.endswith("${") else ")"
        elif kind == "code":
            before = (before + text)[-40:]
        position = match.end()
    if depths:
        raise NotJavaScript("a template is open at the end")


def strip_javascript(source: str) -> str:
    pieces = []
    for kind, text in tokens(source):
        if kind == "comment":
            pieces.append(Token("code", "\n" if "\n" in text else " "))
        else:
            pieces.append(Token(kind, text))
    out: list[str] = []
    code = ""
    for kind, text in [*pieces, Token("literal", "")]:
        if kind == "code":
            code += text
            continue
        out += [_SPACED.sub(r"\1\2", _LINE_END.sub("\n", code)), text]
        code = ""
    return "".join(out).strip() + "\n"


def strip_css(source: str) -> str:
    strings: list[str] = []

    def aside(match: re.Match[str]) -> str:
        if match[0].startswith("/*"):
            return ""
        strings.append(match[0])
        return '""'

    bare = _CSS_SPACED.sub(r"\1", _CSS.sub(aside, source))
    kept = iter(strings)
    return re.sub('""', lambda _: next(kept), re.sub(r"\s*\n\s*", "\n", bare)).strip() + "\n"
