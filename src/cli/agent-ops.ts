#!/usr/bin/env node
import { startHook } from "../client/start-hook.ts";

const [command, ...args] = process.argv.slice(2);
// Coding agents run it before each use of a tool: nothing else is loaded for it.
if (command === "hook") startHook(args);
else await import("./run-process.ts").then(({ runProcess }) => runProcess());
