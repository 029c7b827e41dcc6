import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditCheckpoint } from "../../../src/domain/audit/audit-checkpoint.ts";
import type { AuditSigner } from "../../../src/domain/audit/signature.ts";
import { exportAudit } from "../../../src/domain/audit/export-audit.ts";
import { readKeptCheckpoint } from "../../../src/domain/audit/kept-checkpoint.ts";
import { verifyAudit } from "../../../src/domain/audit/verify-audit.ts";
import { type CheckpointVerdict, verifyCheckpoints } from "../../../src/domain/audit/verify-checkpoints.ts";
import { type CheckpointServices, writeCheckpoints } from "../../../src/domain/audit/write-checkpoints.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { newSigner, signEachRow, signNow, signingNode } from "../../support/audit-checkpoints.ts";
import { appendAuditRows } from "../../support/audit-rows.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let signer: AuditSigner;
let node: CheckpointServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
  signer = await newSigner();
});

afterAll(() => server.close());

/** Creates three checkpoints: after rows 10, 20 and 30. Five more rows are unsigned. */
beforeEach(async () => {
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  node = await signingNode(server, signer);
  for (const rows of [7, 10, 10]) {
    await appendAuditRows(ctx, rows);
    expect(await signNow(node, workspaceId)).toBe(1);
  }
  await appendAuditRows(ctx, 5);
});

async function verify(kept: AuditCheckpoint[] = [], keys = [signer.key]): Promise<CheckpointVerdict> {
  return verifyCheckpoints(ctx, { keys: new Set(keys), kept });
}

/** Changes the database in a way no use case does. */
async function tamper(...statements: string[]): Promise<void> {
  for (const statement of statements) {
    await server.database.query(statement.replaceAll("$1", `'${ctx.workspaceId}'`));
  }
}

async function exportAll(): Promise<object[]> {
  const all: object[] = [];
  for await (const batch of exportAudit(ctx)) all.push(...batch);
  return all;
}

async function exportedCheckpoints(): Promise<AuditCheckpoint[]> {
  // In the documented format of the export.
  return (await exportAll()).filter((one) => "number" in one) as AuditCheckpoint[];
}

/** Deletes all rows after one and resets the head. The rest is an intact chain. */
function cutBehind(seq: number): string[] {
  return [
    `DELETE FROM audit_event WHERE workspace_id = $1 AND seq > ${seq}`,
    `UPDATE workspace_head SET audit_seq = ${seq}, audit_hash =
       (SELECT hash FROM audit_event WHERE workspace_id = $1 AND seq = ${seq}) WHERE workspace_id = $1`,
  ];
}

describe("writeCheckpoints", () => {
  it("signs only logs that have grown, with consecutive numbers", async () => {
    expect(await verify()).toMatchObject({ count: 3, newest: { number: 3, seq: 30 }, firstBad: null });
    expect(await signNow(node, ctx.workspaceId)).toBe(1);
    expect(await signNow(node, ctx.workspaceId)).toBe(0);
    expect(await verify()).toMatchObject({ count: 4, newest: { number: 4, seq: 35 }, firstBad: null });
  });

  it("waits until the newest checkpoint is old enough", async () => {
    const { workspaceId } = ctx;
    expect(await writeCheckpoints(node, { olderThanMinutes: 55, workspaceId })).toBe(0);
    const later = { ...node, now: new Date(Date.now() + 56 * 60_000) };
    expect(await writeCheckpoints(later, { olderThanMinutes: 55, workspaceId })).toBe(1);
  });

  it("writes one checkpoint if several nodes sign concurrently", async () => {
    const nodes = await Promise.all(Array.from({ length: 8 }, () => signingNode(server, signer)));
    const written = await Promise.all(nodes.map((one) => signNow(one, ctx.workspaceId)));
    expect(written.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1);
    expect(await verify()).toMatchObject({ count: 4, firstBad: null });
  });

  it("signs every workspace in several batches", async () => {
    const rows = await server.database.query<{ id: string }>(
      `INSERT INTO workspace (id, slug, name)
       SELECT gen_random_uuid(), gen_random_uuid()::text, 'Many' FROM generate_series(1, 450) RETURNING id`,
    );
    await server.database.query(
      `INSERT INTO workspace_head (workspace_id, epoch, audit_seq, audit_hash)
       SELECT id, gen_random_uuid(), 1, sha256('x') FROM workspace WHERE name = 'Many'`,
    );
    const written = await writeCheckpoints(node, { olderThanMinutes: 0 });
    expect(written).toBeGreaterThanOrEqual(rows.length);
    expect(await writeCheckpoints(node, { olderThanMinutes: 0 })).toBe(0);
    const [{ signed } = { signed: 0 }] = await server.database.query<{ signed: number }>(
      `SELECT count(*)::int AS signed FROM audit_checkpoint c JOIN workspace w ON w.id = c.workspace_id
       WHERE w.name = 'Many' AND c.number = 1`,
    );
    expect(signed).toBe(450);
  });

  it("reports a log set back behind its latest checkpoint and doesn't sign it", async () => {
    await tamper(...cutBehind(15));
    const before = server.logged.length;
    expect(await signNow(node, ctx.workspaceId)).toBe(0);
    expect(server.logged.slice(before).join("\n")).toContain("rows were removed");
  });

  it("keeps the latest checkpoint in the data folder, even if the database lost it", async () => {
    const kept = await readKeptCheckpoint(node.dataDir, ctx.workspaceId);
    expect(kept).toMatchObject({ number: 3, seq: 30 });
    await tamper(...cutBehind(15), "DELETE FROM audit_checkpoint WHERE workspace_id = $1 AND number > 1");
    await appendAuditRows(ctx, 5);
    const before = server.logged.length;
    expect(await signNow(node, ctx.workspaceId)).toBe(1);
    expect(server.logged.slice(before).join("\n")).toContain("is missing from the database");
    expect(await readKeptCheckpoint(node.dataDir, ctx.workspaceId)).toEqual(kept);
  });

  it("reports what it can't store, and still signs", async () => {
    const file = path.join(node.dataDir, "audit-checkpoints", `${ctx.workspaceId}.json`);
    await writeFile(file, "{}");
    const before = server.logged.length;
    expect(await signNow(node, ctx.workspaceId)).toBe(1);
    expect(server.logged.slice(before).join("\n")).toContain("could not be written to DATA_DIR");
    expect(await readFile(file, "utf8")).toBe("{}");
  });
});

describe("verifyCheckpoints", () => {
  it("detects a truncated log with its head reset, which the chain doesn't show", async () => {
    await tamper(...cutBehind(25));
    expect(await verifyAudit(ctx)).toMatchObject({ rows: 25, firstBad: null });
    expect(await verify()).toMatchObject({
      count: 2,
      firstBad: { number: 3, seq: 30, problem: "row_missing" },
    });
  });

  it("detects the same with deleted checkpoints, by a stored one", async () => {
    const [, second, third] = await exportedCheckpoints();
    await tamper(...cutBehind(25), "DELETE FROM audit_checkpoint WHERE workspace_id = $1 AND number = 3");
    expect(await verifyAudit(ctx)).toMatchObject({ firstBad: null });
    // Nothing in the database shows it.
    expect(await verify()).toMatchObject({ count: 2, firstBad: null });
    expect(await verify(second ? [second] : [])).toMatchObject({ firstBad: null });
    expect(await verify(third ? [third] : [])).toMatchObject({
      firstBad: { number: 3, seq: 30, problem: "missing" },
    });
  });

  it("detects a rewritten and newly signed log, by a stored checkpoint", async () => {
    const kept = await exportedCheckpoints();
    await tamper(...cutBehind(15), "DELETE FROM audit_checkpoint WHERE workspace_id = $1 AND number > 1");
    await appendAuditRows(ctx, 20);
    await signNow(node, ctx.workspaceId);
    expect(await verifyAudit(ctx)).toMatchObject({ firstBad: null });
    expect(await verify()).toMatchObject({ count: 2, firstBad: null });
    expect(await verify(kept)).toMatchObject({ firstBad: { number: 2, problem: "replaced" } });
  });

  it.each<[string, string[], object]>([
    [
      "a row changed together with its hash",
      ["UPDATE audit_event SET hash = sha256('x') WHERE workspace_id = $1 AND seq = 20"],
      { number: 2, seq: 20, problem: "row_changed" },
    ],
    [
      "a missing checkpoint",
      ["DELETE FROM audit_checkpoint WHERE workspace_id = $1 AND number = 2"],
      { number: 2, problem: "missing" },
    ],
    [
      "a closed gap",
      [
        "DELETE FROM audit_checkpoint WHERE workspace_id = $1 AND number = 2",
        "UPDATE audit_checkpoint SET number = 2 WHERE workspace_id = $1 AND number = 3",
      ],
      { number: 2, problem: "bad_signature" },
    ],
    ...["seq = seq - 1", "hash = sha256('x')", "created_at = created_at - interval '1 hour'"].map(
      (set): [string, string[], object] => [
        `a checkpoint whose ${set.split(" =")[0]} was changed`,
        [`UPDATE audit_checkpoint SET ${set} WHERE workspace_id = $1 AND number = 2`],
        { number: 2, problem: "bad_signature" },
      ],
    ),
    [
      "an invalid public key",
      [`UPDATE audit_checkpoint SET key = '${"_".repeat(43)}' WHERE workspace_id = $1 AND number = 1`],
      { number: 1, problem: "unknown_key" },
    ],
  ])("detects %s", async (_what, statements, firstBad) => {
    await tamper(...statements);
    expect(await verify()).toMatchObject({ firstBad });
  });

  it("detects another workspace's checkpoint", async () => {
    const other = await server.createWorkspace();
    await signNow(node, other.workspaceId);
    await tamper(
      "DELETE FROM audit_checkpoint WHERE workspace_id = $1",
      `UPDATE audit_checkpoint SET workspace_id = $1 WHERE workspace_id = '${other.workspaceId}'`,
    );
    expect(await verify()).toMatchObject({ firstBad: { number: 1, problem: "bad_signature" } });
  });

  it("rejects a checkpoint signed with another key, until that key is trusted", async () => {
    const otherSigner = await newSigner();
    await signNow(await signingNode(server, otherSigner), ctx.workspaceId);
    expect(await verify()).toMatchObject({
      count: 3,
      firstBad: { number: 4, key: otherSigner.key, problem: "unknown_key" },
    });
    expect(await verify([], [signer.key, otherSigner.key])).toMatchObject({ count: 4, firstBad: null });
    expect(await verify([], [])).toMatchObject({ count: 0, firstBad: { problem: "unknown_key" } });
  });

  it("rejects a stored checkpoint signed with another key or modified", async () => {
    const [first] = await exportedCheckpoints();
    if (first === undefined) throw new Error("nothing was exported");
    const [foreign, changed] = [
      { ...first, key: (await newSigner()).key },
      { ...first, seq: 9 },
    ];
    expect(await verify([foreign])).toMatchObject({ firstBad: { problem: "unknown_key" } });
    expect(await verify([changed])).toMatchObject({ firstBad: { problem: "bad_signature" } });
  });

  it("verifies in several batches", async () => {
    await appendAuditRows(ctx, 505);
    await signEachRow({ server, signer, workspaceId: ctx.workspaceId }, (await verify()).newest);
    expect(await verify()).toMatchObject({ count: 513, newest: { seq: 540 }, firstBad: null });
    expect(await exportedCheckpoints()).toHaveLength(513);
  });
});

describe("exportAudit", () => {
  it("returns rows in order, each checkpoint after the row it signs", async () => {
    const all = await exportAll();
    expect(all.map((one) => ("number" in one ? `c${String(one.number)}` : "seq" in one && one.seq))).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "c1", 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, "c2"],
      ...[21, 22, 23, 24, 25, 26, 27, 28, 29, 30, "c3", 31, 32, 33, 34, 35],
    ]);
  });

  it("reads a batch at a time", async () => {
    await appendAuditRows(ctx, 1200);
    const sizes: number[] = [];
    for await (const batch of exportAudit(ctx)) sizes.push(batch.length);
    expect(sizes).toEqual([503, 500, 235]);
  });

  it("includes checkpoints of deleted rows", async () => {
    await tamper(...cutBehind(15));
    expect((await exportedCheckpoints()).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it("allows admins and owners, like the verification", async () => {
    for (const role of ["owner", "admin", "operator", "viewer"] as const) {
      const caller = userCtx(server, ctx.workspaceId, role);
      const expected = role === "owner" || role === "admin" ? "" : "forbidden";
      expect(await getErrorCode(exportAudit(caller).next())).toBe(expected);
      expect(await getErrorCode(verifyCheckpoints(caller, { keys: new Set([signer.key]) }))).toBe(expected);
    }
  });
});
