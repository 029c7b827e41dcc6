import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/** Identifies the build: the same on all nodes that run it, different after any code change. */
export const BUILD = readStamp() ?? randomUUID();

/** scripts/prepare.mjs writes a hash of the sources to dist/. There is none when run from source. */
function readStamp(): string | null {
  try {
    return readFileSync(new URL("../../.stamp", import.meta.url), "utf8").trim();
  } catch {
    return null;
  }
}
