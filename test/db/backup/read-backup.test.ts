import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { headerLine, tableLine } from "../../../src/db/backup/backup-format.ts";
import { checkBackup } from "../../../src/db/backup/restore-backup.ts";

const HEADER = headerLine({
  ...{ format: 1, version: "1.0.0", takenAt: "2026-01-01T00:00:00.000Z" },
  ...{ migrations: [{ name: "x", checksum: "x" }], partitions: [] },
});
const MEBIBYTE = Buffer.alloc(1_048_576, "a");

async function writeFile(text: Iterable<string | Buffer>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "backup.gz");
  await pipeline(text, createGzip({ level: 1 }), createWriteStream(file));
  return file;
}

function* repeat(count: number): Generator<string | Buffer> {
  yield HEADER + tableLine({ name: "task", columns: ["title"] });
  for (let nth = 0; nth < count; nth++) yield MEBIBYTE;
}

describe("readBackup", () => {
  it("refuses a line without an end, and does not read it all", async () => {
    const checking = checkBackup(await writeFile(repeat(400)), new AbortController().signal);
    await expect(checking).rejects.toThrow("The backup is damaged: a row is too long.");
  });

  it("looks at each byte of a long row once", async () => {
    const file = await writeFile(repeat(200));
    const before = process.cpuUsage();
    await expect(checkBackup(file, new AbortController().signal)).rejects.toThrow(
      "rows of a table are missing",
    );
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
