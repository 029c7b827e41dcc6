import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

/** Names this build: the same on every node that runs it, and another after any change of the code. */
export const BUILD = readStamp() ?? randomUUID();

/** scripts/prepare.mjs stamps dist/ with the hash of what it was built from; run from source there is none. */
function readStamp(): string | null {
  try {
    return readFileSync(new URL("../../.stamp", import.meta.url), "utf8").trim();
  } catch {
    return null;
  }
}
