import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { signMark } from "../../../src/domain/audit/audit-mark.ts";
import { verifyAudit } from "../../../src/domain/audit/verify-audit.ts";
import { append } from "../../../src/domain/kernel/events.ts";
import { newSigner } from "../../support/audit-checkpoints.ts";
import { appendAuditRows } from "../../support/audit-rows.ts";
import { type OldAuditLog, createOldAuditLog, range } from "../../support/old-audit-log.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let log: OldAuditLog;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  log = await createOldAuditLog(server);
});

describe("verifyAudit, after a deletion", () => {
  beforeEach(async () => {
    expect(await log.sweepOn(15.5)).toBe(20);
  });

  /** Appends a row with its hash like append() does, as anyone with write access to the database could. */
  async function forgeDeletion(changes: Record<string, unknown>): Promise<void> {
    const audit = [{ action: "audit.deleted", targetType: "workspace", targetId: log.workspaceId, changes }];
    await log.on(22).transaction(async (tx) => append(tx, { events: [], audit }));
  }

  it("accepts checkpoints exported before", async () => {
    expect(log.exported.filter((one) => "number" in one)).toHaveLength(2);
    expect(await log.verdictOf(log.exported)).toMatchObject({
      ...{ chain: { firstBad: null }, checkpoints: { count: 2, firstBad: null } },
    });
  });

  it("exports the remaining rows with every checkpoint", async () => {
    const all = await log.exportAll(log.on(22));
    expect(all.map((one) => ("number" in one ? `c${String(one.number)}` : "seq" in one && one.seq))).toEqual([
      ...["c1", "c2"],
      ...range(21, 28),
    ]);
    expect((await log.verdictOf(all)).checkpoints).toMatchObject({ firstBad: null });
  });

  it.each<[string, string, object]>([
    [
      "a changed row",
      "UPDATE audit_event SET action = 'x' WHERE workspace_id = $1 AND seq = 23",
      { seq: 23, problem: "changed" },
    ],
    [
      "more missing rows than recorded",
      "DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 21",
      {
        ...{ seq: 21, problem: "missing" },
      },
    ],
    ["an empty log", "DELETE FROM audit_event WHERE workspace_id = $1", { seq: 1, problem: "missing" }],
    [
      "a first row with another predecessor",
      "UPDATE audit_event SET prev_hash = sha256('x') WHERE workspace_id = $1 AND seq = 21",
      { seq: 21, problem: "broken_link" },
    ],
    [
      "a deletion that records more rows",
      "UPDATE audit_event SET changes = changes || '{\"seq\": 21}' WHERE workspace_id = $1 AND seq = 28",
      { seq: 28, problem: "unproven_deletion" },
    ],
    [
      "a deletion changed to another action",
      "UPDATE audit_event SET action = 'x' WHERE workspace_id = $1 AND seq = 28",
      { seq: 1, problem: "missing" },
    ],
  ])("detects %s", async (_what, statement, firstBad) => {
    await log.tamper(statement);
    expect((await log.verdictOf()).chain.firstBad).toMatchObject(firstBad);
  });

  it("detects more deleted rows with a forged deletion", async () => {
    const place = await log.readPlace(25);
    const otherSigner = await newSigner();
    const whose = { workspaceId: log.workspaceId, action: "audit.deleted" } as const;
    for (const changes of [
      place,
      { ...place, key: log.signer.key, signature: "A".repeat(86) },
      signMark(otherSigner, whose, place),
      // Signed by the key for something else.
      signMark(log.signer, { ...whose, action: "audit.exported" }, place),
      signMark(log.signer, { ...whose, workspaceId: crypto.randomUUID() }, place),
    ]) {
      await forgeDeletion(changes);
      const { firstBad } = (await log.verdictOf()).chain;
      expect(firstBad).toMatchObject({ problem: "unproven_deletion" });
      expect(await log.sweepOn(100)).toBe(0);
    }
  });

  it("detects a missing or different checkpoint of the deletion", async () => {
    await log.tamper("DELETE FROM audit_checkpoint WHERE workspace_id = $1 AND number = 2");
    expect((await log.verdictOf()).checkpoints.firstBad).toMatchObject({ number: 2, problem: "missing" });
    await log.tamper("DELETE FROM audit_checkpoint WHERE workspace_id = $1");
    expect((await log.verdictOf()).checkpoints.firstBad).toMatchObject({
      number: 2,
      seq: 20,
      problem: "missing",
    });
  });

  it("rejects the deletion without its key", async () => {
    expect((await verifyAudit(log.on(40), new Set([(await newSigner()).key]))).firstBad).toMatchObject({
      ...{ seq: 28, problem: "unproven_deletion" },
    });
  });

  it("succeeds while rows are deleted", async () => {
    await appendAuditRows(log.on(30), 4500);
    await log.sign(30);
    await log.exportAll(log.on(31));
    const keys = new Set([log.signer.key]);
    const [verdict] = await Promise.all([verifyAudit(log.on(60), keys), log.sweepOn(60)]);
    expect(verdict.firstBad).toBeNull();
  });
});
