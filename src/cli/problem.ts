import { ConfigError } from "../config/config.ts";
import type { DomainError, FieldError } from "../domain/kernel/errors.ts";
import { toDomainError } from "../domain/kernel/to-domain-error.ts";
import type { CommandProblem } from "./terminal.ts";

/** Fields of verbs whose option has another name. */
const OPTIONS: Readonly<Record<string, string>> = { agentHandle: "agent", overlapSeconds: "overlap" };

/** What an error means to whoever called the command. */
export function toCommandProblem(error: unknown): CommandProblem {
  if (error instanceof ConfigError) {
    const problems = error.problems.map(({ variable, problem }) => `${variable} ${problem}`);
    return { code: "wrong_environment", message: problems.join("; ") };
  }
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

/** Prisma draws the call above what it has to say. */
function lastLine(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? "It failed without a word.";
}
