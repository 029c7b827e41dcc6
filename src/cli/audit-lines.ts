import type { BadAuditRow } from "../domain/audit/audit-chain.ts";
import type { AuditVerdict } from "../domain/audit/verify-audit.ts";
import type { BadCheckpoint, CheckpointVerdict } from "../domain/audit/verify-checkpoints.ts";
import type { KeptSource } from "./audit-kept.ts";

/** What `audit verify` found. */
export type AuditReport = {
  chain: AuditVerdict;
  checkpoints: CheckpointVerdict;
  /** The public key that checkpoints are signed with here; null where there is none. */
  key: string | null;
  compared: readonly KeptSource[];
};

/** Says for people what was found, and what could not have been. */
export function auditLines({ chain, checkpoints, key, compared }: AuditReport): string[] {
  const lines = [...chainLines(chain)];
  if (checkpoints.firstBad !== null) return [...lines, ...badCheckpointLines(checkpoints.firstBad)];
  if (checkpoints.newest === null) return [...lines, unsignedLine(key)];
  const { count, newest } = checkpoints;
  const later = chain.lastSeq - newest.seq;
  return [
    ...lines,
    `Signed checkpoints that hold: ${count}. The newest, of ${newest.created_at}, signs row ${newest.seq}.`,
    ...(later > 0 ? [`  Rows behind it, which only the chain holds  ${later}`] : []),
    comparedLine(compared),
  ];
}

function unsignedLine(key: string | null): string {
  return key === null
    ? "None of it is signed: without AUDIT_KEY nobody can tell when rows were cut off its end and its head set back."
    : "None of it is signed yet: the server signs it hourly and when it stops.";
}

function comparedLine(compared: readonly KeptSource[]): string {
  if (compared.includes("file")) return "They agree with the file of checkpoints.";
  const rest = "Compare with an export that is kept elsewhere: --checkpoints FILE.";
  return compared.includes("data_dir")
    ? `They agree with the newest one that DATA_DIR keeps. ${rest}`
    : `Whoever deleted the newest of them together with its rows would not be noticed. ${rest}`;
}

const ROW_PROBLEMS: Record<BadAuditRow["problem"], string> = {
  changed: "is not what was written: its content does not give its hash",
  missing: "is missing",
  broken_link: "does not follow the row before it: one of the two was replaced",
  head_mismatch: "is the last, but not the one that the log's head knows",
  beyond_head: "lies behind the log's head: it was never appended",
  unproven_deletion:
    "tells that rows were deleted, and no key that is known here has signed it: give AUDIT_KEY, or AUDIT_EARLIER_KEYS or --key if you trust it",
};

function chainLines({ rows, deleted, firstBad }: AuditVerdict): string[] {
  if (firstBad === null)
    return [
      `The audit log holds: ${rows} rows.`,
      ...(deleted === null
        ? []
        : [`  Deleted after their days, up to checkpoint ${deleted.checkpoint}  rows 1 to ${deleted.seq}`]),
    ];
  const { seq, id, problem } = firstBad;
  const name = id === null ? `Row ${seq}` : `Row ${seq} (${id})`;
  return [`${name} of the audit log ${ROW_PROBLEMS[problem]}.`, `  Rows that hold before it  ${rows}`];
}

function badCheckpointLines(bad: BadCheckpoint): string[] {
  return [`Checkpoint ${bad.number} ${checkpointProblem(bad)}.`];
}

function checkpointProblem({ problem, seq, key }: BadCheckpoint): string {
  switch (problem) {
    case "unknown_key":
      return `is signed with the key ${key}, which is not known here: give AUDIT_KEY, or AUDIT_EARLIER_KEYS or --key if you trust it`;
    case "bad_signature":
      return "is not what was signed: it was changed, or made up";
    case "missing":
      return seq === null
        ? "is missing: later ones are there"
        : `was signed for row ${seq}, and is no longer in the database: it was deleted, or the database set back`;
    case "replaced":
      return "was kept as another than the database holds: the log was written anew since";
    case "broken_link":
      return "does not follow the one before it: one of the two was replaced";
    case "row_changed":
      return `signs another row ${seq} than the log holds: the log was written anew`;
    case "row_missing":
      return `signs row ${seq}, which is gone: the end of the log was cut off`;
  }
}
