import { ConfigError } from "../config/config.ts";
import type { DomainError, FieldError } from "../domain/errors.ts";
import { refusalOf } from "../domain/failure.ts";
import type { Problem } from "./terminal.ts";

/** Fields of verbs whose option has another name. */
const OPTIONS: Readonly<Record<string, string>> = { agentHandle: "agent", overlapSeconds: "overlap" };

/** What an error means to whoever called the command. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ConfigError) {
    const problems = error.problems.map(({ variable, problem }) => `${variable} ${problem}`);
    return { code: "wrong_environment", message: problems.join("; ") };
  }
  const refusal = refusalOf(error);
  if (refusal !== null) return problemOfRefusal(refusal);
  const message = error instanceof Error ? error.message : String(error);
  return { code: "internal", message: lastLine(message) };
}

function problemOfRefusal({ code, message, details }: DomainError): Problem {
  const { errors = [], field } = details;
  const option = errors[0] === undefined ? field : optionOf(errors[0].field);
  return {
    code,
    message: errors.length === 0 ? message : errors.map(sentenceOf).join("; "),
    ...(option !== undefined && option !== "" && { field: option }),
  };
}

function sentenceOf({ field, detail }: FieldError): string {
  return `--${optionOf(field)} ${detail}`;
}

function optionOf(field: string): string {
  return OPTIONS[field] ?? field;
}

/** Prisma draws the call above what it has to say. */
function lastLine(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? "It failed without a word.";
}
