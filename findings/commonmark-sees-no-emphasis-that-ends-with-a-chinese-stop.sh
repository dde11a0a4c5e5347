#!/bin/sh
# CommonMark sees no emphasis that ends with a Chinese stop or closing mark before the next sentence.
#
# markdown-it-py 4.0.0 and commonmark 0.9.1, which follow CommonMark, beside mistune 3.1.4 and Markdown 3.9, which have rules of
# their own (Python 3.11). In "这是**重点。**后面还有字。" both pairs of asterisks look alike to a reader, and one expects bold words. By CommonMark
# the second pair closes nothing: a mark of punctuation stands before it and a letter behind it, which in a language with blanks between words is
# the sign of an opening. Chinese has no blank there, so that every emphasis that ends with 。 ” 》 or ） and is followed by text keeps its
# asterisks, while "**渡口**两个字" is bold. The two other libraries make all of them bold.
#
# Text for readers of both kinds (a web page of a git host, an app for notes) keeps the mark outside: "**重点**。后面".
#
# Seen: for each text the libraries that make it bold, as in the list below.
# Needs python3 with venv.
set -eu

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
python3 -m venv "$room/venv"
"$room/venv/bin/pip" install -q --disable-pip-version-check markdown-it-py==4.0.0 commonmark==0.9.1 mistune==3.1.4 Markdown==3.9

"$room/venv/bin/python" - <<'PYTHON'
import commonmark, markdown, markdown_it, mistune

libraries = {
    "markdown-it-py": markdown_it.MarkdownIt().render,
    "commonmark": commonmark.commonmark,
    "mistune": mistune.html,
    "Markdown": markdown.markdown,
}
every, lenient = list(libraries), ["mistune", "Markdown"]
expected = {
    "她写下**渡口**两个字。": every,
    "这是**重点**。后面还有字。": every,
    "这是**重点。**": every,
    "这是**重点。**后面还有字。": lenient,
    "他说：**“你来了。”**我没有答。": lenient,
    "他念**《渡口》**给她听。": lenient,
    "他念**（低声）**给她听。": lenient,
}
for text, wanted in expected.items():
    bold = [name for name, render in libraries.items() if "<strong>" in render(text)]
    print(text, "bold:", ", ".join(bold))
    assert bold == wanted, (text, bold)
PYTHON
