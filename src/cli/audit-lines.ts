import type { BadAuditRow } from "../domain/audit/audit-chain.ts";
import type { AuditVerdict } from "../domain/audit/verify-audit.ts";
import type { BadCheckpoint, CheckpointVerdict } from "../domain/audit/verify-checkpoints.ts";
import type { KeptSource } from "./audit-kept.ts";

/** The result of `audit verify`. */
export type AuditReport = {
  chain: AuditVerdict;
  checkpoints: CheckpointVerdict;
  /** The public key that signs checkpoints here; null if there is none. */
  key: string | null;
  compared: readonly KeptSource[];
};

/** Describes what was found, and what could not be checked. */
export function auditLines({ chain, checkpoints, key, compared }: AuditReport): string[] {
  const lines = [...chainLines(chain)];
  if (checkpoints.firstBad !== null) return [...lines, ...badCheckpointLines(checkpoints.firstBad)];
  if (checkpoints.newest === null) return [...lines, unsignedLine(key)];
  const { count, newest } = checkpoints;
  const later = chain.lastSeq - newest.seq;
  return [
    ...lines,
    `Valid signed checkpoints: ${count}. The newest, from ${newest.created_at}, signs row ${newest.seq}.`,
    ...(later > 0 ? [`Rows after it, protected only by the hash chain  ${later}`] : []),
    comparedLine(compared),
  ];
}

function unsignedLine(key: string | null): string {
  return key === null
    ? "The log is not signed: without AUDIT_KEY, nobody can tell whether rows were removed from its " +
        "end. Set AUDIT_KEY to sign it."
    : "The log is not signed yet: the server signs it every hour and when it stops.";
}

function comparedLine(compared: readonly KeptSource[]): string {
  if (compared.includes("file")) return "They match the checkpoints in the file.";
  const rest = "To compare with an export that is kept elsewhere, use --checkpoints FILE.";
  return compared.includes("data_dir")
    ? `They match the newest checkpoint in DATA_DIR. ${rest}`
    : `A deletion of the newest checkpoints together with their rows would go unnoticed. ${rest}`;
}

const ROW_PROBLEMS: Record<BadAuditRow["problem"], string> = {
  changed: "was changed: its content does not match its hash",
  missing: "is missing",
  broken_link: "does not follow the previous row: one of the two was replaced",
  head_mismatch: "is the last one, but the log's head refers to a different row",
  beyond_head: "is after the log's head: it was never appended",
  unproven_deletion:
    "marks a deletion of rows, but is not signed with a known key. Set AUDIT_KEY. If you trust the " +
    "key, add it with AUDIT_EARLIER_KEYS or --key",
};

function chainLines({ rows, deleted, firstBad }: AuditVerdict): string[] {
  if (firstBad === null)
    return [
      `The audit log is intact: ${rows} rows.`,
      ...(deleted === null
        ? []
        : [`Deleted by retention, up to checkpoint ${deleted.checkpoint}  rows 1 to ${deleted.seq}`]),
    ];
  const { seq, id, problem } = firstBad;
  const name = id === null ? `Row ${seq}` : `Row ${seq} (${id})`;
  return [`${name} of the audit log ${ROW_PROBLEMS[problem]}.`, `Intact rows before it  ${rows}`];
}

function badCheckpointLines(bad: BadCheckpoint): string[] {
  return [`Checkpoint ${bad.number} ${checkpointProblem(bad)}.`];
}

function checkpointProblem({ problem, seq, key }: BadCheckpoint): string {
  switch (problem) {
    case "unknown_key":
      return `is signed with the unknown key ${key}. Set AUDIT_KEY. If you trust the key, add it with AUDIT_EARLIER_KEYS or --key`;
    case "bad_signature":
      return "has an invalid signature: it was changed or forged";
    case "missing":
      return seq === null
        ? "is missing, although later ones exist"
        : `was signed for row ${seq} and is missing from the database: it was deleted, or an older backup was restored`;
    case "replaced":
      return "differs from the copy that was kept: the log was rewritten";
    case "broken_link":
      return "does not follow the previous checkpoint: one of the two was replaced";
    case "row_changed":
      return `does not match row ${seq} of the log: the log was rewritten`;
    case "row_missing":
      return `signs row ${seq}, which is missing: the end of the log was removed`;
  }
}
