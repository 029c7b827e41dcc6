#!/usr/bin/env node
import { runProgram } from "./run-program.ts";
import { isJsonAsked } from "./terminal.ts";

const args = process.argv.slice(2);
// Whoever writes hears of a reader that has gone; without a listener the process would end with a stack trace.
process.stdout.on("error", () => {});
process.exitCode = await runProgram(args, {
  json: isJsonAsked(args),
  stdin: process.stdin,
  stdout: (text) => void process.stdout.write(text),
  write: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  stderr: (text) => void process.stderr.write(text),
  // Loaded where it is needed: --help and --version are to be there at once.
  config: async () => (await import("../config/config.ts")).readProcessConfig(),
  remote: async () => (await import("../config/remote.ts")).readProcessRemoteConfig(),
});
// A library that left a connection open must not keep the shell waiting.
process.stdout.write("", () => process.exit());
