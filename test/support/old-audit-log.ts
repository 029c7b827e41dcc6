import { expect } from "vitest";
import type { AuditCheckpoint } from "../../src/domain/audit/audit-checkpoint.ts";
import { exportAudit } from "../../src/domain/audit/export-audit.ts";
import type { AuditSigner } from "../../src/domain/audit/signature.ts";
import { verifyAudit } from "../../src/domain/audit/verify-audit.ts";
import { verifyCheckpoints } from "../../src/domain/audit/verify-checkpoints.ts";
import { writeCheckpoints } from "../../src/domain/audit/write-checkpoints.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { sweepRetention } from "../../src/domain/retention/sweep-retention.ts";
import { updateWorkspace } from "../../src/domain/workspaces/update-workspace.ts";
import { newSigner, signingNode } from "./audit-checkpoints.ts";
import { appendAuditRows } from "./audit-rows.ts";
import type { TestServer } from "./server.ts";

/** A workspace whose audit log was written over weeks, and what is done to it on a day. */
export type OldAuditLog = Awaited<ReturnType<typeof createOldAuditLog>>;

const DAY_MS = 86_400_000;
const START = Date.now();

/** So many days ahead: what is done then is that old for whom nothing tells the time otherwise. */
function day(days: number): Date {
  return new Date(START + days * DAY_MS);
}

/** Whole numbers, the last one counts in. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/**
 * Rows 1 to 10 of day 0, signed; 11 to 20 of day 10, signed; 21 to 25 of day 20, not signed. The log is kept for 5
 * days, as row 26 says; all of it was exported on day 21, as row 27 says. No other workspace deletes its own.
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
    // The shape is what the export is documented to be.
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
    /** Sweeps on a day, on a node with a key. @returns how many rows were deleted. */
    sweepOn: (days: number, key: AuditSigner | null = signer) =>
      sweepRetention(on(days, key).services, day(days)),
    seqs: async () => {
      const rows = await query<{ seq: string }>(
        "SELECT seq FROM audit_event WHERE workspace_id = $1 ORDER BY seq",
        [workspaceId],
      );
      return rows.map(({ seq }) => Number(seq));
    },
    /** Does to the database what no use case does. */
    tamper: async (...statements: string[]) => {
      for (const statement of statements) await query(statement.replaceAll("$1", `'${workspaceId}'`));
    },
    /** What a mark would say that ends with a row. */
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
