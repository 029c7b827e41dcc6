import { mkdir, mkdtemp, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareBinaries } from "../../src/db/embedded-binaries.ts";

describe("prepareBinaries", () => {
  let parent: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "agent-ops-binaries-"));
  });

  afterEach(async () => {
    await rm(parent, { recursive: true });
  });

  it("creates links and execute bits missing after an install without scripts, also concurrently", async () => {
    const lib = join(parent, "native", "lib");
    await mkdir(lib, { recursive: true });
    await writeFile(join(lib, "libpq.so.5.18"), "");
    const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
    await writeFile(join(parent, "native", "pg-symlinks.json"), JSON.stringify(links));
    const program = join(parent, "program");
    await writeFile(program, "", { mode: 0o644 });
    const binaries = { root: parent, initdb: program, pgCtl: program, postgres: program };
    await Promise.all([prepareBinaries(binaries), prepareBinaries(binaries)]);
    await prepareBinaries(binaries);
    expect(await readlink(join(lib, "libpq.so.5"))).toBe("libpq.so.5.18");
    expect((await stat(program)).mode & 0o111).toBe(0o111);
  });
});
