import { ConfigError } from "../config/config.ts";
import { BackupError } from "../db/backup/backup-error.ts";
import type { DomainError, FieldError } from "../domain/kernel/errors.ts";
import { toDomainError } from "../domain/kernel/to-domain-error.ts";
import { CommandError } from "./command-error.ts";
import type { CommandProblem } from "./terminal.ts";

/** Input fields whose option has a different name. */
const OPTIONS: Readonly<Record<string, string>> = { agentHandle: "agent", overlapSeconds: "overlap" };

/** Converts an error to what the command prints. */
export function toCommandProblem(error: unknown): CommandProblem {
  if (error instanceof ConfigError) {
    const problems = error.problems.map(({ variable, problem }) => `${variable} ${problem}`);
    return { code: "wrong_environment", message: problems.join("; ") };
  }
  if (error instanceof CommandError) return error.problem;
  if (error instanceof BackupError) return { code: error.code, message: error.message };
  const domainError = toDomainError(error);
  if (domainError !== null) return toDomainProblem(domainError);
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message: lastLine(message) };
}

function toDomainProblem({ code, message, details }: DomainError): CommandProblem {
  const { errors = [], field } = details;
  const option = errors[0] === undefined ? field : toOption(errors[0].field);
  return {
    code,
    message: errors.length === 0 ? message : errors.map(toSentence).join("; "),
    ...(option !== undefined && option !== "" && { field: option }),
  };
}

function toSentence({ field, detail }: FieldError): string {
  return `--${toOption(field)} ${detail}`;
}

function toOption(field: string): string {
  return OPTIONS[field] ?? field;
}

/** Prisma prints the call before its message. */
function lastLine(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? "The command failed without a message.";
}
