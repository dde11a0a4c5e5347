#!/usr/bin/env node
// Starts the program for this machine, which npm has installed as an optional dependency.
"use strict";
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const machine = `${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "novel.exe" : "novel";
let program;
try {
  program = require.resolve(`novel-book-${machine}/${name}`);
} catch {
  console.error(`novel: no program for ${machine} is installed; npm may have been told to leave out optional dependencies`);
  process.exit(127);
}
// Ctrl-C reaches the program too, which ends in order by itself.
process.on("SIGINT", () => {});
const { error, signal, status } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`novel: ${error.message}`);
}
process.exit(status ?? (signal ? 128 + constants.signals[signal] : 127));
