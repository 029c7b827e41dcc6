import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openSealedBox } from "../../../src/auth/secrets/open-sealed-box.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "agent-ops-key-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
});

const PLACE = ["workspace", "table", "id", "column"];

describe("openSealedBox", () => {
  it("returns none with an external database and no SECRETS_KEY", async () => {
    expect(await openSealedBox({ secretsKeys: [], databaseUrl: "postgres://x/y", dataDir })).toBeNull();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("creates secrets.key once with the embedded database, readable only by its owner", async () => {
    const source = { secretsKeys: [], databaseUrl: null, dataDir };
    const [one, other] = await Promise.all([openSealedBox(source), openSealedBox(source)]);
    const sealed = one?.seal("hunter2", PLACE) ?? new Uint8Array();
    expect(other?.open(sealed, PLACE)).toBe("hunter2");
    expect(await readdir(dataDir)).toEqual(["secrets.key"]);
    expect((await stat(path.join(dataDir, "secrets.key"))).mode & 0o777).toBe(0o600);
  });

  it("prefers SECRETS_KEY to the file: the first key seals, the others open", async () => {
    const [first = "", second = ""] = [randomBytes(32), randomBytes(32)].map((key) => key.toString("base64"));
    const before = await openSealedBox({ secretsKeys: [second], databaseUrl: null, dataDir });
    const after = await openSealedBox({ secretsKeys: [first, second], databaseUrl: null, dataDir });
    const sealed = before?.seal("hunter2", PLACE) ?? new Uint8Array();
    expect([after?.open(sealed, PLACE), after?.isCurrent(sealed)]).toEqual(["hunter2", false]);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("reports an invalid file without its content", async () => {
    await writeFile(path.join(dataDir, "secrets.key"), "hunter2hunter2\n");
    const opened = openSealedBox({ secretsKeys: [], databaseUrl: null, dataDir });
    await expect(opened).rejects.toThrow(/secrets\.key is not a valid key/);
    await expect(opened).rejects.toThrow(expect.not.stringContaining("hunter2"));
  });
});
