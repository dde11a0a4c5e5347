#!/usr/bin/env python3
"""Cuts the power at every point of a command, and looks at what is left.

    tests/power-cut.py [--step N] [--modes LETTERS] [--keep FOLDER] PROGRAM BOOK -- COMMAND...

BOOK is copied and stays as it is. COMMAND, for instance `continue --to ch-031`, must have a goal: it is given again after
each cut. The environment is passed on, so that a stand-in model (`benches/model.rs`) can be named. Needs strace and git.

The command runs once under strace. From the record the folder is put together as a disk may have it when the power goes
after any of the calls that change something. A disk has what was synced, and of the rest as much as it likes:

    l   nothing that was not synced is there,
    n   all names are there (files made, renamed, removed), and no contents that were not synced: such files are empty,
    d   all contents are there, and no name that was not synced,
    r   of each folder and each file one or the other, by lot.

In each state, `git fsck` must find that the book's branch leads to whole commits, and `novel status` must work. Then the
command runs again, and
  - the texts of the book are those of an undisturbed run, and so is the list of its commits: no result of ours is taken for an
    edit of the author's, neither in the book nor on a draft,
  - `git fsck --strict` finds nothing, `git status` shows nothing, no lock and no intent is left over.
"""

import argparse
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

CALLS = "openat,write,pwrite64,lseek,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,syncfs"
ESCAPE = re.compile(rb"\\x([0-9a-f]{2})")


class File:
    """A file: its bytes now, and those that are on the disk for certain. Files of the book as it was are read when asked for."""

    def __init__(self, source=None):
        self.source, self.now = source, None if source else b""
        self.synced = None if source else b""

    def change(self, edit):
        if self.now is None:
            self.now = read(self.source)
            self.synced = self.now
        self.now = edit(self.now)

    def sync(self):
        self.synced = self.now


class Folder:
    """A folder: its entries now, and those that are on the disk for certain."""

    def __init__(self):
        self.now, self.synced = {}, {}

    def sync(self):
        self.synced = dict(self.now)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def load(path):
    folder = Folder()
    for entry in os.scandir(path):
        if entry.is_dir(follow_symlinks=False):
            folder.now[entry.name] = load(entry.path)
        elif entry.is_file(follow_symlinks=False):
            folder.now[entry.name] = File(entry.path)
    folder.sync()
    return folder


class Disk:
    """The folder of the book, as the record goes on."""

    def __init__(self, book, root):
        self.top, self.root, self.offsets = load(book), root, {}

    def inside(self, path):
        path = os.path.normpath(path)
        return os.path.relpath(path, self.root).split("/") if path.startswith(self.root + "/") else None

    def find(self, path):
        if os.path.normpath(path) == self.root:
            return self.top
        node = self.top
        for name in self.inside(path) or [""]:
            node = node.now.get(name) if isinstance(node, Folder) else None
        return node

    def parent(self, path):
        return self.find(os.path.dirname(os.path.normpath(path))), os.path.basename(os.path.normpath(path))

    def walk(self, node=None):
        node = node or self.top
        yield node
        for below in list(node.now.values()) if isinstance(node, Folder) else []:
            yield from self.walk(below)

    def apply(self, name, fields):
        """Returns whether the call has changed something here."""
        paths = [path for path in fields["paths"] if self.inside(path) or os.path.normpath(path) == self.root]
        if name == "syncfs":
            for node in self.walk():
                node.sync()
            return True
        if not paths:
            return False
        node = self.find(paths[0])
        if name == "openat":
            self.offsets[paths[0]] = 0
            if "O_APPEND" in fields["rest"] and isinstance(node, File):
                node.change(lambda bytes: bytes)
                self.offsets[paths[0]] = len(node.now)
            if node is None and "O_CREAT" in fields["rest"]:
                folder, base = self.parent(paths[0])
                folder.now[base] = File()
                return True
            if isinstance(node, File) and "O_TRUNC" in fields["rest"]:
                node.change(lambda _: b"")
                return True
            return False
        if name == "lseek":
            self.offsets[paths[0]] = fields["result"]
            return False
        if name in ("write", "pwrite64"):
            if not isinstance(node, File):
                return False
            data = fields["data"][: fields["result"]]
            at = fields["offset"] if name == "pwrite64" else self.offsets.get(paths[0], 0)
            node.change(lambda old: old[:at].ljust(at, b"\0") + data + old[at + len(data) :])
            if name == "write":
                self.offsets[paths[0]] = at + len(data)
            return True
        if name == "ftruncate":
            node.change(lambda old: old[: fields["offset"]].ljust(fields["offset"], b"\0"))
        elif name in ("fsync", "fdatasync"):
            if node is None:
                return False
            node.sync()
        elif name in ("mkdir", "mkdirat"):
            folder, base = self.parent(paths[0])
            folder.now[base] = Folder()
        elif name in ("unlink", "unlinkat", "rmdir"):
            folder, base = self.parent(paths[0])
            folder.now.pop(base, None)
        elif name in ("rename", "renameat", "renameat2", "link", "linkat"):
            (one, was), (two, will) = self.parent(paths[0]), self.parent(paths[-1])
            two.now[will] = one.now[was]
            if name.startswith("rename"):
                one.now.pop(was)
        return True

    def put(self, target, mode, lot):
        """Writes what a disk may have into the folder `target`."""

        def entries(folder):
            if mode == "r":
                names = sorted(set(folder.now) | set(folder.synced))
                versions = [folder.now if lot.random() < 0.5 else folder.synced for _ in names]
                return {name: version[name] for name, version in zip(names, versions) if name in version}
            return folder.now if mode == "n" else folder.synced

        def put(folder, path):
            os.makedirs(path, exist_ok=True)
            for name, node in entries(folder).items():
                if isinstance(node, Folder):
                    put(node, f"{path}/{name}")
                elif node.now is None:
                    shutil.copy2(node.source, f"{path}/{name}")
                else:
                    has_all = mode == "d" or (mode == "r" and lot.random() < 0.5)
                    with open(f"{path}/{name}", "wb") as file:
                        file.write(node.now if has_all else node.synced)

        put(self.top, target)

    def state(self, mode):
        """Names a state, so that the same one is not tried twice."""
        digest = hashlib.sha1()

        def add(folder, path):
            for name, node in sorted((folder.now if mode == "n" else folder.synced).items()):
                if isinstance(node, Folder):
                    add(node, f"{path}/{name}")
                elif node.now is None:
                    digest.update(f"{path}/{name}\n".encode())
                else:
                    digest.update(f"{path}/{name} ".encode() + hashlib.sha1(node.now if mode == "d" else node.synced).digest())

        add(self.top, "")
        return digest.hexdigest()


LINE = re.compile(rb"^(\d+) +(\w+)\((.*)\) += (\d+)(?:<.*>)?$")
UNFINISHED = re.compile(rb"^(\d+) +(.*) <unfinished \.\.\.>$")
RESUMED = re.compile(rb"^(\d+) +<\.\.\. \w+ resumed>(.*)$")
TOKEN = re.compile(rb'"((?:\\x[0-9a-f]{2})*)"|<((?:\\x[0-9a-f]{2})*)>(\(deleted\))?')


def plain(text):
    return bytes(int(code, 16) for code in ESCAPE.findall(text))


def record(trace):
    """The calls of a record that have succeeded, in order."""
    open_calls = {}
    with open(trace, "rb") as lines:
        for line in lines:
            line = line.rstrip(b"\n")
            if found := UNFINISHED.match(line):
                open_calls[found[1]] = found[2]
                continue
            if found := RESUMED.match(line):
                line = found[1] + b" " + open_calls.pop(found[1], b"") + found[2]
            if not (found := LINE.match(line)):
                continue
            name, arguments = found[2].decode(), found[3]
            fields = {"paths": [], "data": b"", "rest": "", "offset": 0, "result": int(found[4])}
            folder = None
            for token in TOKEN.finditer(arguments):
                if token[2] is not None:
                    folder = None if token[3] else plain(token[2]).decode(errors="replace")
                    if name in ("write", "pwrite64", "lseek", "ftruncate", "fsync", "fdatasync", "syncfs") and folder:
                        fields["paths"].append(folder)
                elif name in ("write", "pwrite64"):
                    fields["data"] = plain(token[1])
                else:
                    path = plain(token[1]).decode(errors="replace")
                    fields["paths"].append(os.path.join(folder, path) if folder else path)
            fields["rest"] = TOKEN.sub(b"", arguments).decode()
            numbers = re.findall(r", (\d+)$", fields["rest"])
            fields["offset"] = int(numbers[0]) if numbers else 0
            yield name, fields


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, errors="replace", **options)


def git(book, *command):
    return run("git", "-C", book, *command)


def commits(book):
    return git(book, "log", "--first-parent", "--reverse", "--format=%s").stdout.splitlines()


def edits(book):
    """How many commits say that the author has edited something, on any branch or kept draft."""
    kinds = git(book, "log", "--all", "--format=%(trailers:key=Novel-Kind,valueonly,separator=)").stdout
    return kinds.split().count("hand-edit")


def texts(book):
    return {path: read(f"{book}/chapters/{path}") for path in git(f"{book}/chapters", "ls-files").stdout.splitlines()}


def problems(program, book, reference, command):
    found = []
    head = git(book, "rev-list", "--objects", "--quiet", "HEAD")
    if head.returncode:
        found.append(f"the branch leads to missing objects: {head.stderr.strip()[:200]}")
    now, before, after = commits(book), reference["before"], reference["after"]
    if now != after[: len(now)] or len(now) < len(before):
        found.append(f"neither the old book nor the new one: {now[-1:]}")
    if (look := run(program, "-C", book, "--lang", "en", "status")).returncode:
        found.append(f"status: {look.stderr.strip()[:200]}")
    again = run(program, "-C", book, "--lang", "en", *command)
    if again.returncode:
        found.append(f"the second run says: {again.stderr.strip()[:300]}")
    if commits(book) != after:
        found.append(f"other commits: {commits(book)[-3:]}")
    if edits(book) != reference["edits"]:
        found.append("a result of ours is an edit of the author's")
    if texts(book) != reference["texts"]:
        found.append("another text")
    fsck = git(book, "fsck", "--strict", "--no-dangling")
    if fsck.returncode or fsck.stdout.strip():
        found.append(f"git fsck: {(fsck.stdout + fsck.stderr).strip()[:200]}")
    if status := git(book, "status", "--porcelain").stdout:
        found.append(f"git status: {status.strip()[:200]}")
    if locks := run("find", f"{book}/.git", "-name", "*.lock").stdout:
        found.append(f"a lock is left over: {locks.strip()}")
    if git(book, "for-each-ref", "refs/novel/txn").stdout:
        found.append("an intent is left over")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--step", type=int, default=1, help="try every so many states only")
    parser.add_argument("--modes", default="lndr", help="what the disk has of what was not synced")
    parser.add_argument("--keep", help="a folder for the states in which something has failed, as they were before anything ran")
    parser.add_argument("program")
    parser.add_argument("book")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    program, book = os.path.realpath(options.program), os.path.realpath(options.book)
    room = tempfile.mkdtemp(prefix="power-cut.", dir=os.environ.get("TMPDIR", "/dev/shm"))
    work, trial, trace = f"{room}/work", f"{room}/trial", f"{room}/trace"
    try:
        shutil.copytree(book, work, symlinks=True)
        git(work, "status")
        start = f"{room}/start"
        shutil.copytree(work, start, symlinks=True)
        before = commits(work)
        strace = ["strace", "-qq", "-f", "-y", "-xx", "-s", "100000000", "-e", f"trace={CALLS}", "-o", trace]
        first = run(*strace, program, "-C", work, *options.command)
        if first.returncode:
            sys.exit(f"the undisturbed run has failed: {first.stderr}")
        reference = {"before": before, "after": commits(work), "edits": edits(work), "texts": texts(work)}
        disk, calls, seen = Disk(start, work), 0, set()
        tried, bad, syncs = 0, 0, 0
        for name, fields in record(trace):
            if not disk.apply(name, fields):
                continue
            calls += 1
            syncs += name in ("fsync", "fdatasync", "syncfs")
            for mode in options.modes:
                state = (mode, disk.state(mode)) if mode != "r" else (mode, calls)
                if state in seen:
                    continue
                seen.add(state)
                if len(seen) % options.step:
                    continue
                shutil.rmtree(trial, ignore_errors=True)
                disk.put(trial, mode, random.Random(calls))
                tried += 1
                found = problems(program, trial, reference, options.command)
                if found:
                    bad += 1
                    if options.keep:
                        disk.put(f"{options.keep}/{calls}-{mode}", mode, random.Random(calls))
                    where = os.path.relpath(fields["paths"][-1], work) if fields["paths"] else ""
                    print(f"FAIL after call {calls}, {name} {where}, disk {mode}: " + "; ".join(found), flush=True)
        print(f"{calls} calls, {syncs} of them to sync; {tried} states tried, {bad} failures")
        sys.exit(1 if bad else 0)
    finally:
        shutil.rmtree(room, ignore_errors=True)


main()
