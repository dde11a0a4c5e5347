#!/usr/bin/python3
"""Reads exports with the programs that authors and shops use, and imports the files that these programs write.

    tests/readers.py [--keep FOLDER] PROGRAM

PROGRAM is a build of `novel`. Needs Debian or Ubuntu with these packages, some 600 MB:

    apt-get install --no-install-recommends calibre pandoc libreoffice-writer-nogui epubcheck python3-docx

A book of two volumes is exported as epub, docx, md and txt. calibre, pandoc, LibreOffice and python-docx read the epub and
the docx: every heading and every paragraph must be equal, in order. epubcheck must find nothing, and the lists of contents must
name every volume and chapter. Then calibre makes an epub from txt, pandoc an epub, a docx and md, LibreOffice a docx, and
`novel import` reads each: volumes, titles and paragraphs must be those of the author. Each check prints one line; the exit
code is 0 when all passed.
"""

import argparse
import difflib
import glob
import html
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

TOOLS = ["ebook-convert", "pandoc", "soffice", "java"]
EPUBCHECK = "/usr/share/java/epubcheck.jar"
BREAK = "***"

# Paragraphs that programs are known to spoil: quotes of both kinds, dots and dashes in pairs, Latin words, marks of Markdown and
# of XML, numbers at the beginning, readings in brackets, rare characters, lines that begin like headings.
TEXTS = [
    [
        "他推开门，说：“她留了话——‘等我回来’……就这些。”",
        "“龘（dá）字怎么写？”老人问，“四个——不，三个龙。”",
        "The Old Bar 的招牌还亮着，他走进 Room 3-B，点了一杯 gin & tonic，付了 <15 元>，找零 0.5。",
        BREAK,
        "2019. 那一年的事，他不愿再提。",
        "他说“好”，又说“不好”……“到底好不好？”她问。",
    ],
    [
        "第三章的内容他早就忘了。",
        "1、一本账；2、一把伞。",
        "——船到桥头。",
        "……没有人回答。",
        "𠮷野家的灯，㐂字的匾，※与◎，①和②，50%～60%。",
    ],
    [
        "他写下 C:\\novel\\book_1，又划掉 *星号*、_下划线_、`反引号`、~波浪~、# 井号、[方括号]、$x^2$、a@b.cn。",
        "“走吧。”",
        "“走吧。”",
        BREAK,
        "- 这一行以短横开头",
        "+ 这一行以加号开头",
        "> 这一行以尖括号开头",
        "很长的一段：" + "雨从檐角落下来，落在 Lane 5 的石板上，一声 one，一声 two，他数到 three 就忘了。" * 12,
    ],
    ["『书』与「信」，《青锋录》与〈卷一〉，【印】与（注）。", "It's a dog's life, 他想，“isn't it?”", "完。"],
]
VOLUMES = [("风起", ["夜雨", "“晨雾”"]), ("云散", ["A 计划 & B 计划", "——归来"])]


def chapters():
    """(volume, number, title, paragraphs) of each chapter."""
    number = 0
    for volume, (_, titles) in enumerate(VOLUMES, 1):
        for title in titles:
            number += 1
            yield volume, number, title, TEXTS[number - 1]


def text_file(texts_of=lambda texts: texts):
    lines = ["书名：青锋录", "作者：某某", ""]
    last = 0
    for volume, number, title, texts in chapters():
        if volume != last:
            lines += [f"第{volume}卷 {VOLUMES[volume - 1][0]}", ""]
        last = volume
        lines += [f"第{number}章 {title}", ""]
        for text in texts_of(texts):
            lines += ["　　" + text, ""]
        lines.append("")
    return "\n".join(lines)


def html_file():
    out = ["<!DOCTYPE html><html lang='zh-CN'><head><meta charset='utf-8'><title>青锋录</title></head><body>"]
    last = 0
    for volume, number, title, texts in chapters():
        if volume != last:
            out.append(f"<h1>第{volume}卷 {VOLUMES[volume - 1][0]}</h1>")
        last = volume
        out.append(f"<h2>第{number}章 {html.escape(title)}</h2>")
        out += ["<hr/>" if text == BREAK else f"<p>{html.escape(text)}</p>" for text in texts]
    return "\n".join(out + ["</body></html>"])


def wanted_lines():
    """Headings and paragraphs of the whole book, in order."""
    out, last = [], 0
    for volume, number, title, texts in chapters():
        if volume != last:
            out.append(f"第{volume}卷 {VOLUMES[volume - 1][0]}")
        last = volume
        out += [f"第{number}章 {title}", *texts]
    return out


class Checks:
    def __init__(self, program, folder):
        self.program, self.folder, self.failed, self.count = os.path.abspath(program), folder, 0, 0
        home = os.path.join(folder, "home")
        os.makedirs(home)
        self.env = dict(os.environ, HOME=home, LANG="C.UTF-8", LC_ALL="C.UTF-8", NOVEL_LANG="zh")
        self.env.update({f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER")
                         for what, value in (("NAME", "某某"), ("EMAIL", "a@b.cn"))})

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def run(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.env, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}")
        return done.stdout + done.stderr

    def equal(self, what, found, wanted):
        self.count += 1
        if found == wanted:
            print(f"ok    {what}: {len(wanted)} equal", flush=True)
            return
        self.failed += 1
        print(f"FAIL  {what}", flush=True)
        for line in difflib.unified_diff([str(one) for one in wanted], [str(one) for one in found], "wanted", "found", n=0, lineterm=""):
            print(f"      {line[:300]}")

    def attempt(self, what, check):
        try:
            check()
        except Exception as error:  # A program that fails is a failed check; the others go on.
            self.count, self.failed = self.count + 1, self.failed + 1
            print(f"FAIL  {what}: {error}", flush=True)

    def body(self, lines):
        """The lines from the first chapter's volume on: before it are the title, the author and the contents."""
        lines = [line.strip(" \t\n　") for line in lines]
        lines = [line for line in lines if line]
        first, second = wanted_lines()[:2]
        starts = [at for at in range(len(lines) - 1) if lines[at] == first and lines[at + 1] == second]
        return lines[starts[-1]:] if starts else lines

    def novel_import(self, what, name, *options, texts=lambda texts: texts):
        book = f"book-{name.replace('.', '-')}-{what.split()[0]}"
        self.run(self.program, "import", name, "--into", book, "--yes", *options)
        found, wanted = [], []
        for volume, number, title, own in chapters():
            path = self.path(f"{book}/chapters/vol-{volume:02}/chapter-{number:03}.md")
            lines = open(path, encoding="utf-8").read().split("\n") if os.path.exists(path) else ["no such chapter"]
            found += [(volume, line) for line in lines if line]
            wanted += [(volume, f"# 第{number}章 {title}"), *((volume, text) for text in texts(own))]
        for volume, (title, _) in enumerate(VOLUMES, 1):
            path = self.path(f"{book}/volumes/vol-{volume:02}/outline.md")
            found.append(open(path, encoding="utf-8").read().strip() if os.path.exists(path) else None)
            wanted.append(f"# 第{volume}卷 {title}")
        found.append(len(glob.glob(self.path(f"{book}/chapters/vol-*/chapter-*.md"))))
        wanted.append(4)
        self.equal(f"import of {what}", found, wanted)
        self.run("git", "-C", book, "fsck", "--strict")


def html_lines(page):
    """Text of each paragraph and heading."""

    class Reader(html.parser.HTMLParser):
        def __init__(self):
            super().__init__()
            self.lines = [""]

        def handle_starttag(self, tag, attrs):
            if tag in ("p", "div", "h1", "h2", "h3", "li", "body"):
                self.lines.append("")

        def handle_data(self, data):
            self.lines[-1] += data

    reader = Reader()
    reader.feed(page)
    return reader.lines


def pandoc_lines(document):
    """Text of each block of a document that pandoc has read, as the JSON of its own form."""

    def inline(parts):
        out = ""
        for part in parts:
            kind, content = part["t"], part.get("c")
            if kind == "Str":
                out += content
            elif kind in ("Space", "SoftBreak"):
                out += " "
            elif kind == "LineBreak":
                out += "\n"
            elif kind in ("Emph", "Strong", "Underline", "SmallCaps", "Superscript", "Subscript", "Strikeout"):
                out += inline(content)
            elif kind in ("Span", "Link", "Quoted", "Image"):
                out += inline(content[1])
            else:
                out += f"<{kind}>"
        return out

    def blocks(parts):
        for part in parts:
            kind, content = part["t"], part.get("c")
            if kind in ("Para", "Plain"):
                yield inline(content)
            elif kind == "Header":
                yield inline(content[2])
            elif kind == "Div":
                yield from blocks(content[1])
            elif kind == "BlockQuote":
                yield from blocks(content)
            elif kind == "BulletList":
                for item in content:
                    yield from blocks(item)
            else:
                yield f"<{kind}>"

    return list(blocks(json.loads(document)["blocks"]))


def exports(checks):
    checks.write("own.txt", text_file())
    checks.novel_import("own.txt", "own.txt")
    book = "book-own-txt-own.txt"
    for kind in ("epub", "docx", "md", "txt"):
        checks.run(checks.program, "-C", book, "export", "--to", kind, "-o", f"out.{kind}")
        checks.novel_import(f"out.{kind}", f"out.{kind}")

    def epub():
        told = checks.run("java", "-jar", EPUBCHECK, "out.epub")
        found = re.findall(r"^(?:ERROR|WARNING|FATAL|INFO|USAGE).*", told, re.M)
        checks.equal("epubcheck", found + ["No errors or warnings detected" in told], [True])
        with zipfile.ZipFile(checks.path("out.epub")) as archive:
            contents = archive.read("book/contents.xhtml").decode()
            points = archive.read("book/contents.ncx").decode()
        headings = [line for line in wanted_lines() if re.match(r"第\d+[卷章] ", line)]
        named = [html.unescape(label) for label in re.findall(r"<a [^>]*>([^<]*)</a>", contents)]
        checks.equal("contents", named, headings)
        named = [html.unescape(label) for label in re.findall(r"<navLabel><text>([^<]*)", points)]
        checks.equal("contents of EPUB 2", named, headings)

    def calibre(kind):
        # Its text files lack a plus sign at the beginning of a paragraph that its HTML has.
        checks.run("ebook-convert", f"out.{kind}", f"calibre-{kind}.htmlz")
        with zipfile.ZipFile(checks.path(f"calibre-{kind}.htmlz")) as archive:
            lines = html_lines(archive.read("index.html").decode())
        checks.equal(f"calibre reads {kind}", checks.body(lines), wanted_lines())

    def pandoc(kind):
        told = checks.run("pandoc", "-t", "json", f"out.{kind}")
        checks.equal(f"pandoc reads {kind}", checks.body(pandoc_lines(told)), wanted_lines())

    def office():
        checks.run("soffice", "--headless", "--convert-to", "txt:Text (encoded):UTF8", "--outdir", "office", "out.docx")
        lines = checks.read("office/out.txt").lstrip("\ufeff").split("\n")
        checks.equal("LibreOffice reads docx", checks.body(lines), wanted_lines())

    def python_docx():
        import docx
        document = docx.Document(checks.path("out.docx"))
        lines = checks.body(paragraph.text for paragraph in document.paragraphs)
        checks.equal("python-docx reads docx", lines, wanted_lines())
        headings = [(p.style.name, p.text) for p in document.paragraphs if p.style.name.startswith("Heading")]
        wanted = [(f"Heading {1 if line[2] == '卷' else 2}", line)
                  for line in wanted_lines() if re.match(r"第\d+[卷章] ", line)]
        checks.equal("python-docx reads headings", headings, wanted)

    checks.attempt("epubcheck", epub)
    for kind in ("epub", "docx"):
        checks.attempt(f"calibre reads {kind}", lambda: calibre(kind))
        checks.attempt(f"pandoc reads {kind}", lambda: pandoc(kind))
    checks.attempt("LibreOffice reads docx", office)
    checks.attempt("python-docx reads docx", python_docx)


def imports(checks):
    checks.write("page.html", html_file())

    def calibre(source, *options):
        name = f"calibre-{source.rsplit('.')[-1]}.epub"
        checks.run("ebook-convert", source, name, *options)
        checks.novel_import(f"{name} from {source}", name)

    def pandoc(name, *options, **wanted):
        checks.run("pandoc", "page.html", "-o", name)
        checks.novel_import(f"pandoc-{name}", name, *options, **wanted)

    def office():
        checks.run("soffice", "--headless", "--infilter=HTML (StarWriter)", "--convert-to", "docx:MS Word 2007 XML",
                   "--outdir", "office", "page.html")
        shutil.copy(checks.path("office/page.docx"), checks.path("office.docx"))
        checks.novel_import("office.docx from HTML", "office.docx")

    checks.attempt("calibre's epub from txt", lambda: calibre("own.txt", "--formatting-type", "plain"))
    checks.attempt("calibre's epub from HTML", lambda: calibre("page.html"))
    checks.attempt("pandoc's epub", lambda: pandoc("page.epub"))
    checks.attempt("pandoc's docx", lambda: pandoc("page.docx"))
    checks.attempt("pandoc's md", lambda: pandoc("page.md", "--clean"))
    checks.attempt("LibreOffice's docx", office)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", metavar="FOLDER", help="leave the files there")
    parser.add_argument("program", metavar="PROGRAM")
    args = parser.parse_args()
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    missing += [] if os.path.exists(EPUBCHECK) else [EPUBCHECK]
    if missing:
        sys.exit(f"missing: {', '.join(missing)}; see --help for the packages")
    if args.keep:
        os.makedirs(args.keep)
    folder = args.keep or tempfile.mkdtemp(prefix="novel-readers-")
    checks = Checks(args.program, os.path.abspath(folder))
    try:
        checks.attempt("exports", lambda: exports(checks))
        checks.attempt("imports", lambda: imports(checks))
    finally:
        if not args.keep:
            shutil.rmtree(folder)
    print(f"{checks.count - checks.failed} of {checks.count} checks passed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
