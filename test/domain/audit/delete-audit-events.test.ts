import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteAuditEvents } from "../../../src/domain/audit/delete-audit-events.ts";
import { exportAudit } from "../../../src/domain/audit/export-audit.ts";
import { listAuditEvents } from "../../../src/domain/audit/list-audit-events.ts";
import { verifyAudit } from "../../../src/domain/audit/verify-audit.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
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

describe("deleteAuditEvents", () => {
  it("deletes up to the latest checkpoint that is old enough", async () => {
    expect(await log.sweepOn(14.9)).toBe(10);
    expect(await log.seqs()).toEqual(range(11, 28));
    expect(await log.sweepOn(15.5)).toBe(0);
    expect(await log.sweepOn(30)).toBe(10);
    expect(await log.sweepOn(30)).toBe(0);
    expect(await log.seqs()).toEqual(range(21, 29));
    const { chain, checkpoints } = await log.verdictOf();
    expect(chain).toMatchObject({
      ...{ rows: 9, lastSeq: 29, deleted: { seq: 20, checkpoint: 2 }, firstBad: null },
    });
    expect(checkpoints).toMatchObject({ count: 2, firstBad: null });
  });

  it("leaves correct totals and pages", async () => {
    await log.sweepOn(30);
    const page = await listAuditEvents(log.on(30), { first: 5 });
    expect(page.nodes.map(({ seq }) => Number(seq))).toEqual([28, 27, 26, 25, 24]);
    expect(page.nodes[0]).toMatchObject({
      action: "audit.deleted",
      actor: { type: "system", name: "audit retention" },
      changes: { seq: 20, checkpoint: 2, key: log.signer.key },
    });
    expect(await page.count()).toBe(8);
    const oldest = await listAuditEvents(log.on(30), { last: 5 });
    expect(oldest.nodes.map(({ seq }) => Number(seq))).toEqual([25, 24, 23, 22, 21]);
    expect(oldest.hasNextPage).toBe(false);
  });

  it("deletes several batches, each row once with two concurrent nodes", async () => {
    await appendAuditRows(log.on(30), 4500);
    await log.sign(30);
    await log.exportAll(log.on(31));
    const both = await Promise.all([log.sweepOn(60), log.sweepOn(60)]);
    expect(both[0] + both[1] + (await log.sweepOn(60))).toBe(4527);
    // The row of the export and that of the deletion.
    expect(await log.seqs()).toEqual([4528, 4529]);
    expect((await log.verdictOf()).chain).toMatchObject({ rows: 2, deleted: { seq: 4527 }, firstBad: null });
  });

  it("leaves a valid log between two batches, each of few rows", async () => {
    await appendAuditRows(log.on(30), 400);
    await log.sign(30);
    await log.exportAll(log.on(31));
    expect(await deleteAuditEvents(log.on(60), log.signer)).toBe(250);
    const { chain, checkpoints } = await log.verdictOf();
    expect(chain).toMatchObject({ rows: 179, lastSeq: 429, deleted: { seq: 427 }, firstBad: null });
    expect(checkpoints).toMatchObject({ count: 3, firstBad: null });
    expect(await (await listAuditEvents(log.on(60))).count()).toBe(179);
    await log.tamper("UPDATE audit_event SET action = 'x' WHERE workspace_id = $1 AND seq = 300");
    expect((await log.verdictOf()).chain.firstBad).toMatchObject({ seq: 300, problem: "changed" });
    // Invalid rows are kept for inspection.
    expect(await deleteAuditEvents(log.on(60), log.signer)).toBe(0);
    expect(await log.seqs()).toEqual(range(251, 429));
  });

  it("deletes nothing that was not exported", async () => {
    await appendAuditRows(log.on(21), 3);
    await log.sign(21);
    expect(await log.sweepOn(100)).toBe(20);
    expect(await log.sweepOn(200)).toBe(0);
    expect(await log.seqs()).toEqual(range(21, 31));
    await log.exportAll(log.on(200));
    expect(await log.sweepOn(200)).toBe(10);
    expect(await log.seqs()).toEqual(range(31, 33));
  });

  it("ignores exports that were not completed", async () => {
    await log.tamper("DELETE FROM audit_event WHERE workspace_id = $1 AND action = 'audit.exported'");
    await log.tamper(
      `UPDATE workspace_head SET audit_seq = 26, audit_hash =
         (SELECT hash FROM audit_event WHERE workspace_id = $1 AND seq = 26) WHERE workspace_id = $1`,
    );
    const reading = exportAudit(log.on(21));
    await reading.next();
    await reading.return(undefined);
    expect(await log.sweepOn(100)).toBe(0);
    await log.exportAll(log.on(21));
    expect(await log.sweepOn(100)).toBe(20);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a retention setting that was cleared", () => updateWorkspace(log.on(22), { auditRetentionDays: null })],
    ["a forged export", () => appendAuditRows(log.on(22), 1, "audit.exported")],
    [
      "an export without a key",
      async () => {
        await log.tamper(
          `DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 27`,
          `UPDATE workspace_head SET
          audit_seq = 26, audit_hash = (SELECT hash FROM audit_event WHERE workspace_id = $1 AND seq = 26)
          WHERE workspace_id = $1`,
        );
        await log.exportAll(log.on(22, null));
      },
    ],
    ["no checkpoint", () => log.tamper("DELETE FROM audit_checkpoint WHERE workspace_id = $1")],
    [
      "a changed row",
      () => log.tamper("UPDATE audit_event SET ip = 'x' WHERE workspace_id = $1 AND seq = 5"),
    ],
    ["a missing row", () => log.tamper("DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 5")],
    [
      "its first row missing",
      () => log.tamper("DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 1"),
    ],
    [
      "a backdated checkpoint",
      () =>
        log.tamper(
          "UPDATE audit_checkpoint SET created_at = created_at - interval '1 hour' WHERE workspace_id = $1",
        ),
    ],
  ])("deletes nothing from a log with %s", async (_what, prepare) => {
    await prepare();
    const before = await log.seqs();
    expect(await log.sweepOn(100)).toBe(0);
    expect(await log.seqs()).toEqual(before);
  });

  it("continues after the key was changed, if the earlier one is trusted", async () => {
    expect(await log.sweepOn(14.9)).toBe(10);
    expect(await log.sweepOn(30, await newSigner())).toBe(0);
    const changed = await newSigner(log.signer);
    expect(await log.sweepOn(30, changed)).toBe(10);
    expect(await log.seqs()).toEqual(range(21, 29));
    const chain = await verifyAudit(log.on(40), changed.trusted);
    expect(chain).toMatchObject({ deleted: { seq: 20, checkpoint: 2 }, firstBad: null });
  });

  it("deletes nothing without a key, or with a key that hasn't signed", async () => {
    expect(await log.sweepOn(100, null)).toBe(0);
    expect(await log.sweepOn(100, await newSigner())).toBe(0);
    expect(await log.seqs()).toEqual(range(1, 27));
  });
});
