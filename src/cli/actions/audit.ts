import { exportAudit } from "../../domain/audit/export-audit.ts";
import { verifyAudit } from "../../domain/audit/verify-audit.ts";
import { verifyCheckpoints } from "../../domain/audit/verify-checkpoints.ts";
import { writeCheckpoints } from "../../domain/audit/write-checkpoints.ts";
import { readKeptCheckpoints } from "../audit-kept.ts";
import { type AuditReport, auditLines } from "../audit-lines.ts";
import { openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

type VerifyOptions = { workspace: string; checkpoints?: string; key: string[] };

/** Verifies a workspace's audit log and its signed checkpoints. */
export async function runAuditVerify(
  { services, config }: CommandContext,
  options: VerifyOptions,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, options.workspace);
  const { workspaceId } = ctx;
  const key = services.auditSigner?.key ?? null;
  const kept = readKeptCheckpoints({
    dataDir: config.dataDir,
    file: options.checkpoints ?? null,
    workspaceId,
  });
  const keys = new Set([...options.key, ...config.auditEarlierKeys, ...(key === null ? [] : [key])]);
  const chain = await verifyAudit(ctx, keys);
  const { deleted } = chain;
  const checkpoints = await verifyCheckpoints(ctx, { keys, kept: kept.checkpoints(), deleted });
  const report: AuditReport = { chain, checkpoints, key, compared: kept.compared };
  const isIntact = chain.firstBad === null && checkpoints.firstBad === null;
  return {
    json: { workspace_id: workspaceId, intact: isIntact, ...reportJson(report) },
    lines: auditLines(report),
    ...(!isIntact && { exitCode: 1 }),
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
export async function runAuditExport(
  { services, config, terminal, signal }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
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
