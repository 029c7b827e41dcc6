import { expect } from "vitest";
import type { AuditCheckpoint } from "../../src/domain/audit/audit-checkpoint.ts";
import { exportAudit } from "../../src/domain/audit/export-audit.ts";
import type { AuditSigner } from "../../src/domain/audit/signature.ts";
import { verifyAudit } from "../../src/domain/audit/verify-audit.ts";
import { verifyCheckpoints } from "../../src/domain/audit/verify-checkpoints.ts";
import { writeCheckpoints } from "../../src/domain/audit/write-checkpoints.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { sweepRetention } from "./sweep.ts";
import { updateWorkspace } from "../../src/domain/workspaces/update-workspace.ts";
import { newSigner, signingNode } from "./audit-checkpoints.ts";
import { appendAuditRows } from "./audit-rows.ts";
import type { TestServer } from "./server.ts";

/** A workspace whose audit log was written over weeks, and actions on it at a given day. */
export type OldAuditLog = Awaited<ReturnType<typeof createOldAuditLog>>;

const DAY_MS = 86_400_000;
const START = Date.now();

/** A number of days ahead, so that what is done then is that old. */
function day(days: number): Date {
  return new Date(START + days * DAY_MS);
}

/** Integers, including both ends. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * Rows 1 to 10 are of day 0 and signed, 11 to 20 of day 10 and signed, 21 to 25 of day 20 and not signed. Row 26 sets
 * the retention to 5 days, and row 27 is the export of everything on day 21. No other workspace deletes its log.
 */
export async function createOldAuditLog(server: TestServer) {
  const signer = await newSigner();
  const { workspaceId } = await server.createWorkspace();
  const node = await signingNode(server, signer);
  const { query } = server.database;

  function on(days: number, key: AuditSigner | null = signer): Ctx {
    const services = { ...server.services, auditSigner: key };
    return openCtx(services, server.systemCtx(workspaceId), day(days));
  }

  async function sign(days: number): Promise<void> {
    const written = await writeCheckpoints({ ...node, now: day(days) }, { olderThanMinutes: 0, workspaceId });
    expect(written).toBe(1);
  }

  async function readVerdict(kept: object[] = []) {
    const [ctx, keys] = [on(40), new Set([signer.key])];
    const chain = await verifyAudit(ctx, keys);
    const { deleted } = chain;
    // In the documented format of the export.
    const checkpoints = kept.filter((one) => "number" in one) as AuditCheckpoint[];
    return { chain, checkpoints: await verifyCheckpoints(ctx, { keys, kept: checkpoints, deleted }) };
  }

  await query("UPDATE workspace SET audit_retention_days = NULL");
  await appendAuditRows(on(0), 7);
  await sign(0);
  await appendAuditRows(on(10), 10);
  await sign(10);
  await appendAuditRows(on(20), 5);
  await updateWorkspace(on(20), { auditRetentionDays: 5 });
  return {
    ...{ workspaceId, signer, on, sign, verdictOf: readVerdict, exportAll },
    exported: await exportAll(on(21)),
    /** Runs the sweep on a day, on a node with a key. @returns the number of deleted rows. */
    sweepOn: (days: number, key: AuditSigner | null = signer) =>
      sweepRetention(on(days, key).services, day(days)),
    seqs: async () => {
      const rows = await query<{ seq: string }>(
        "SELECT seq FROM audit_event WHERE workspace_id = $1 ORDER BY seq",
        [workspaceId],
      );
      return rows.map(({ seq }) => Number(seq));
    },
    /** Changes the database in a way no use case does. */
    tamper: async (...statements: string[]) => {
      for (const statement of statements) await query(statement.replaceAll("$1", `'${workspaceId}'`));
    },
    /** A mark that ends with this row. */
    readPlace: async (seq: number) => {
      const [row] = await query<{ hash: string }>(
        "SELECT encode(hash, 'hex') AS hash FROM audit_event WHERE workspace_id = $1 AND seq = $2",
        [workspaceId, seq],
      );
      return { seq, hash: row?.hash ?? "", checkpoint: 2 };
    },
  };
}

async function exportAll(ctx: Ctx): Promise<object[]> {
  const all: object[] = [];
  for await (const batch of exportAudit(ctx)) all.push(...batch);
  return all;
}
