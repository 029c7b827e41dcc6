import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openAuditKey } from "../../../src/auth/audit-key/open-audit-key.ts";
import { signCheckpoint } from "../../../src/domain/audit/audit-checkpoint.ts";
import { isSigned } from "../../../src/domain/audit/signature.ts";
import { newAuditKey } from "../../support/audit-checkpoints.ts";

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "agent-ops-key-"));
  onTestFinished(() => rm(dataDir, { recursive: true }));
});

const SAID = {
  ...{ workspace_id: "0192f0c1-7c00-7000-8000-000000000001", number: 1, seq: 1 },
  ...{ hash: "a".repeat(64), previous: "0".repeat(64), created_at: "2026-11-22T00:00:00.000Z" },
};

describe("openAuditKey", () => {
  it("derives the key of RFC 8032 from its 32 bytes", async () => {
    const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    const auditKey = Buffer.from(seed, "hex").toString("base64");
    const signer = await openAuditKey({ auditKey, databaseUrl: null, dataDir });
    const known = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    expect(Buffer.from(signer?.key ?? "", "base64url").toString("hex")).toBe(known);
    // Test 1 of section 7.1: the empty message.
    expect(Buffer.from(signer?.sign("") ?? "", "base64url").toString("hex")).toMatch(
      /^e5564300c360ac72.*100b$/,
    );
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("returns none with an external database and no AUDIT_KEY", async () => {
    expect(await openAuditKey({ auditKey: null, databaseUrl: "postgres://x/y", dataDir })).toBeNull();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it("creates audit.key once with the embedded database, readable only by its owner", async () => {
    const source = { auditKey: null, databaseUrl: null, dataDir };
    const signers = await Promise.all(Array.from({ length: 10 }, () => openAuditKey(source)));
    expect(new Set(signers.map((signer) => signer?.key)).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(["audit.key"]);
    expect((await stat(path.join(dataDir, "audit.key"))).mode & 0o777).toBe(0o600);
    const [signer] = signers;
    if (!signer) throw new Error("there is a key");
    expect(isSigned(signCheckpoint(signer, SAID))).toBe(true);
    expect((await readFile(path.join(dataDir, "audit.key"), "utf8")).trim()).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  });

  it("prefers AUDIT_KEY to the file", async () => {
    const file = await openAuditKey({ auditKey: null, databaseUrl: null, dataDir });
    const given = await openAuditKey({ auditKey: newAuditKey(), databaseUrl: null, dataDir });
    expect(given?.key).not.toBe(file?.key);
  });

  it("reports an invalid file without its content", async () => {
    await writeFile(path.join(dataDir, "audit.key"), "hunter2hunter2\n");
    const opened = openAuditKey({ auditKey: null, databaseUrl: null, dataDir });
    await expect(opened).rejects.toThrow(/audit\.key is not a valid key/);
    await expect(opened).rejects.toThrow(expect.not.stringContaining("hunter2"));
  });
});
