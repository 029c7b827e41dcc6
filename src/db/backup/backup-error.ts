/** Why a backup can't be made or restored. */
export type BackupProblem =
  | "backup_damaged"
  | "backup_unknown"
  | "database_in_use"
  | "database_not_empty"
  | "database_unknown";

/** An error of a backup or a restore, with a message for operators. Nothing was changed. */
export class BackupError extends Error {
  readonly code: BackupProblem;

  constructor(code: BackupProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "BackupError";
    this.code = code;
  }
}
