#!/usr/bin/env node
import { startHook } from "./start-hook.ts";

startHook(process.argv.slice(2));
