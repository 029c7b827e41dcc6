import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readFileState } from "../../scripts/prepare/files.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-files-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("readFileState", () => {
  it("changes with the content, even if size and time are the same", () => {
    const file = path.join(folder, "a.ts");
    const missing = readFileState(file);
    writeFileSync(file, "one");
    const { atime, mtime } = statSync(file);
    const before = readFileState(file);
    expect([before === missing, readFileState(file) === before]).toEqual([false, true]);
    writeFileSync(file, "two");
    utimesSync(file, atime, mtime);
    expect(readFileState(file)).not.toBe(before);
  });
});
