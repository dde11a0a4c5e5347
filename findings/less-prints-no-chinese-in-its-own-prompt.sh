#!/bin/sh
# less shows Chinese in a file, and garbles it in the prompt that it was given.
#
# less 590 (Debian 12). With a UTF-8 locale, or with `LESSCHARSET=utf-8` in any, less prints Chinese text as it is. One expects the same of
# the words after `-P`, which replace the prompt at the bottom of the screen. Each byte of them is printed by itself there, as a
# character below U+0100 or a control character: `按 q 离开` becomes `^@<U+008C><U+0089> q ^@¦»^@¼<U+0080>`.
#
# A program that wants to say in Chinese how to leave the pager has to say it elsewhere, or in ASCII.
#
# Seen: the file's lines whole, and the prompt in pieces, with LC_ALL=C.UTF-8 and with LC_ALL=C and LESSCHARSET=utf-8.
# Needs less 590 and python3.
set -eu

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export HOME="$room" TERM=xterm
less --version | head -n 1
cat >"$room/look.py" <<'PYTHON'
import os, pty, sys

book = sys.argv[1]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp("less", ["less", "-P按 q 离开", book])
seen = b""
# The prompt is the last thing on the screen, and ends with the change back to ordinary type.
while b"\x1b[27m" not in seen and b"\x1b[m" not in seen[-20:]:
    seen += os.read(terminal, 65536)
os.write(terminal, b"q")
while True:
    try:
        if not os.read(terminal, 65536):
            break
    except OSError:
        break
os.waitpid(pid, 0)
text = seen.decode(errors="replace")
print(repr(text.splitlines()[-1]))
assert "章节" in text and "<U+008C>" in text and "离开" not in text
PYTHON
yes 章节 | head -n 200 >"$room/book" || true
LC_ALL=C.UTF-8 python3 "$room/look.py" "$room/book"
LC_ALL=C LESSCHARSET=utf-8 PYTHONIOENCODING=utf-8 PYTHONUTF8=1 python3 "$room/look.py" "$room/book"
