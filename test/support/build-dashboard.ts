import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** Builds the dashboard like `npm start`, if it is out of date. */
export function buildDashboard(): Promise<void> {
  return prepare("--dashboard");
}

/** Builds the GraphQL explorer like `npm start`, if it is out of date. */
export function buildExplorer(): Promise<void> {
  return prepare("--explorer");
}

async function prepare(what: string): Promise<void> {
  const root = path.resolve(import.meta.dirname, "../..");
  await promisify(execFile)(process.execPath, ["scripts/prepare.mjs", what, "--quiet"], {
    cwd: root,
  });
}
