"""Comments, indentation and spaces go; what a program means stays."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from playground.recordings.exporting.joining import joined_modules, joined_styles
from playground.recordings.exporting.stripping import NotJavaScript, strip_css, strip_javascript, tokens

SCRIPTS = sorted((Path(__file__).parents[2] / "static/js").rglob("*.js"))


@pytest.mark.parametrize(
    ("source", "bare"),
    [
        ("a = 1; // one\n  b = 2;\n", "a=1;b=2;\n"),
        ("/** doc\n * more */\nlet x = 'a // b';", "let x='a // b';\n"),
        ('let x = "/* not */";', 'let x="/* not */";\n'),
        ("let x = 'it\\'s // so';", "let x='it\\'s // so';\n"),
        ("x = `a // b\n   c ${ y /* z */ + `${ 1 }` }  // d`;", "x=`a // b\n   c ${ y   + `${ 1 }` }  // d`;\n"),
        ("x = `\\` // ${ {a: 1}.a } $`; // gone", "x=`\\` // ${{a:1}.a } $`;\n"),
        ("x = /[/'\"`]\\/ {2}/g.test(y); // gone", "x=/[/'\"`]\\/ {2}/g.test(y);\n"),
        ("return /  a/.exec(b) / 2 / 3;", "return /  a/.exec(b)/ 2 / 3;\n"),
        ("x = (a + b) / 2; y = '/';", "x=(a+b)/ 2;y='/';\n"),
        ("x = a[1] / b / c; // d", "x=a[1]/ b / c;\n"),
        ("x = a + +b - -c;", "x=a + +b - -c;\n"),
        ("f(a, /b  c/);", "f(a,/b  c/);\n"),
        ("x = `${ /}  `/.source }`;", "x=`${ /}  `/.source }`;\n"),
        ("a /* b\n c */ d", "a\nd\n"),
    ],
)
def test_javascript_keeps_its_meaning(source: str, bare: str) -> None:
    assert strip_javascript(source) == bare


@pytest.mark.parametrize("source", ["'abc", "`abc", "`${a", "/* a", "x = 'a\nb'"])
def test_what_is_no_javascript_raises(source: str) -> None:
    with pytest.raises(NotJavaScript):
        strip_javascript(source)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_the_tokens_of_a_module_are_all_of_it(path: Path) -> None:
    source = path.read_text()
    assert "".join(token.text for token in tokens(source)) == source
    bare = strip_javascript(source)
    assert strip_javascript(bare) == bare


def test_css_keeps_its_strings() -> None:
    source = 'a:not(b) , c > d {\n  content: "/* kept */ ; {";\n  /* gone */\n  margin: 0 calc(1px + 2px);\n}\n'
    source += "@media (x: 1) {}\n"
    assert strip_css(source) == 'a:not(b),c > d{content:"/* kept */ ; {";margin:0 calc(1px + 2px);}@media (x:1){}\n'


def test_the_joined_module_imports_and_exports_nothing() -> None:
    joined = joined_modules("exported.js")
    assert not any(line.startswith(("import ", "import{", "export ")) for line in joined.splitlines())
    assert joined.index("class SessionModel") < joined.index("new SessionModel")
    assert joined.count("class SessionModel{") == 1


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node: install it to check the joined module")
def test_the_joined_module_is_a_module(tmp_path: Path) -> None:
    path = tmp_path / "joined.mjs"
    path.write_text(joined_modules("exported.js"))
    subprocess.run(["node", "--check", str(path)], check=True, capture_output=True)


def test_the_layers_stand_first_in_the_joined_styles() -> None:
    assert joined_styles().startswith("@layer reset,")
