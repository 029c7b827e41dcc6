import { exportAudit } from "../../domain/audit/export-audit.ts";
import { verifyAudit } from "../../domain/audit/verify-audit.ts";
import { verifyCheckpoints } from "../../domain/audit/verify-checkpoints.ts";
import { writeCheckpoints } from "../../domain/audit/write-checkpoints.ts";
import { keptCheckpoints } from "../audit-kept.ts";
import { type AuditReport, auditLines } from "../audit-lines.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { Operation } from "../run-command.ts";
import type { Answer } from "../terminal.ts";

type VerifyOptions = { workspace: string; checkpoints?: string; key: string[] };

/** Checks a workspace's audit log and its signed checkpoints. */
export async function verify({ services, config }: Operation, options: VerifyOptions): Promise<Answer> {
  const ctx = await openWorkspace(services, options.workspace);
  const { workspaceId } = ctx;
  const key = services.auditSigner?.key ?? null;
  const kept = keptCheckpoints({ dataDir: config.dataDir, file: options.checkpoints ?? null, workspaceId });
  const keys = new Set([...options.key, ...config.auditEarlierKeys, ...(key === null ? [] : [key])]);
  const chain = await verifyAudit(ctx, keys);
  const { deleted } = chain;
  const checkpoints = await verifyCheckpoints(ctx, { keys, kept: kept.checkpoints(), deleted });
  const report: AuditReport = { chain, checkpoints, key, compared: kept.compared };
  const isIntact = chain.firstBad === null && checkpoints.firstBad === null;
  return {
    json: { workspace_id: workspaceId, intact: isIntact, ...reportJson(report) },
    lines: auditLines(report),
    failed: !isIntact,
  };
}

function reportJson({ chain, checkpoints, key, compared }: AuditReport): Record<string, unknown> {
  return {
    rows: chain.rows,
    deleted: chain.deleted,
    first_bad: chain.firstBad,
    key,
    checkpoints: {
      count: checkpoints.count,
      newest: checkpoints.newest,
      compared,
      first_bad: checkpoints.firstBad,
    },
  };
}

/** Writes a workspace's audit log to standard output. */
export async function exportWhole(
  { services, config, terminal, signal }: Operation,
  { workspace }: { workspace: string },
): Promise<Answer> {
  const ctx = await openWorkspace(services, workspace);
  const { workspaceId } = ctx;
  const { auditSigner: signer } = services;
  if (signer !== null) {
    const { dataDir } = config;
    await writeCheckpoints({ ...services, signer, dataDir }, { olderThanMinutes: 0, workspaceId });
  }
  for await (const batch of exportAudit(ctx)) {
    signal.throwIfAborted();
    await terminal.write(batch.map((one) => `${JSON.stringify(one)}\n`).join(""));
  }
  return { json: null, lines: [] };
}
