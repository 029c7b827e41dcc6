import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";

/** Builds the dashboard like `npm start`, if it is out of date. */
export async function buildDashboard(): Promise<void> {
  const root = path.resolve(import.meta.dirname, "../..");
  await promisify(execFile)(process.execPath, ["scripts/prepare.mjs", "--dashboard", "--quiet"], {
    cwd: root,
  });
}
