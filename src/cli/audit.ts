import type { Command } from "commander";
import { type AuditVerdict, type BadAuditRow, verifyAudit } from "../domain/audit/verify-audit.ts";
import { openWorkspace } from "./open-workspace.ts";
import type { Operation, Run } from "./run-command.ts";
import type { Answer } from "./terminal.ts";

/** Adds `audit verify`. */
export function addAuditCommands(program: Command, run: Run): void {
  program
    .command("audit")
    .description("hold the audit log against its hash chain")
    .command("verify")
    .description("check every row of a workspace's audit log; exits with 1 where one does not hold")
    .requiredOption("--workspace <id>", "the workspace's id")
    .action(run(verify));
}

async function verify({ services }: Operation, { workspace }: { workspace: string }): Promise<Answer> {
  const ctx = await openWorkspace(services, workspace);
  const { rows, firstBad } = await verifyAudit(ctx);
  return {
    json: { workspace_id: ctx.workspaceId, intact: firstBad === null, rows, first_bad: firstBad },
    lines: linesOf({ rows, firstBad }),
    failed: firstBad !== null,
  };
}

const PROBLEMS: Record<BadAuditRow["problem"], string> = {
  changed: "is not what was written: its content does not give its hash",
  missing: "is missing",
  broken_link: "does not follow the row before it: one of the two was replaced",
  head_mismatch: "is the last, but not the one that the log's head knows",
  beyond_head: "lies behind the log's head: it was never appended",
};

function linesOf({ rows, firstBad }: AuditVerdict): string[] {
  if (firstBad === null) return [`The audit log holds: ${rows} rows.`];
  const { seq, id, problem } = firstBad;
  const name = id === null ? `Row ${seq}` : `Row ${seq} (${id})`;
  return [`${name} of the audit log ${PROBLEMS[problem]}.`, `  Rows that hold before it  ${rows}`];
}
