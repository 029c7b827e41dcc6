import canonicalize from "canonicalize";
import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { jsonProblem, parseInput, text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type EndedCommand, endCommandById } from "../missions/undo-steering.ts";
import { COMMAND_STATES, requireCommandState } from "./command-states.ts";
import { lockOwnCommand } from "./lock-agent-command.ts";
import { moveOwnCommand, defineOwnMove } from "./move-own-command.ts";

const shape = z.object({
  id: uuid,
  status: z.enum(["succeeded", "failed"], "must be succeeded or failed"),
  result: z.unknown().superRefine(requireJson).optional(),
  error: z.strictObject({ code: text(LIMITS.errorCodeLength), message: text(LIMITS.textLength) }).nullish(),
});

function requireJson(value: unknown, context: z.RefinementCtx): void {
  const problem = jsonProblem(value, LIMITS.outputBytes);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
}

type Report = {
  status: "succeeded" | "failed";
  result: unknown;
  error: { code: string; message: string } | null;
};

/**
 * Records a command's result. Only the first report counts; repeating it returns the same result. A report
 * after the time-out is stored as `late` and does not change the status.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:ack`; not_found for another agent's
 *   command; validation_failed; invalid_state, also if it differs from the first report.
 */
export async function reportAgentCommandResult(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:ack");
  requireAgent(ctx);
  const { id, ...given } = parseInput(shape, input);
  const report = toReport(given);
  if (report.status === "failed") return endCommandById(ctx, id, (tx) => reportResult(tx, id, report));
  return ctx.transaction(async (tx) => (await reportResult(tx, id, report)).command);
}

async function reportResult(tx: Transaction, id: string, report: Report): Promise<EndedCommand> {
  const kept = [report.result, report.error].map((part) => (part === null ? null : JSON.stringify(part)));
  for (;;) {
    const finished = await moveOwnCommand(tx, FINISH, { id, values: [...kept, report.status] });
    if (finished !== null) return { command: finished, isLeftUndone: finished.status === "failed" };
    const { command } = await lockOwnCommand(tx, id);
    if (isReported(command)) return { command: requireSame(command, report), isLeftUndone: false };
    const added = await moveOwnCommand(tx, ADD_LATE, { id, values: kept });
    if (added !== null) return { command: added, isLeftUndone: false };
    requireCommandState(command, "result");
  }
}

/** Only a failure has an error, so a stored report can be compared without its status. */
function toReport({ status, result, error }: Omit<z.output<typeof shape>, "id">): Report {
  if (status === "failed" && !error) throw createFieldError("error", "is required if the command failed");
  if (status === "succeeded" && error)
    throw createFieldError("error", "is not allowed if the command succeeded");
  return { status, result: result ?? null, error: error ?? null };
}

function isReported({ status, late }: AgentCommand): boolean {
  return status === "succeeded" || status === "failed" || late;
}

function requireSame(command: AgentCommand, report: Report): AgentCommand {
  if (canonicalize([command.result, command.error]) === canonicalize([report.result, report.error]))
    return command;
  const message = "The command already has a different result.";
  throw new DomainError("invalid_state", message, { currentStatus: command.status, allowed: [] });
}

const FINISH = defineOwnMove("agent_command.finished", {
  from: COMMAND_STATES.result,
  set: `status = $6::agent_command_status, finished_at = at.now, next_deadline_at = NULL,
  progress = CASE WHEN $6::agent_command_status = 'succeeded' THEN 1 ELSE c.progress END,
  result = $4::jsonb, error = $5::jsonb`,
});

const ADD_LATE = defineOwnMove("agent_command.updated", {
  from: ["timed_out"],
  set: "late = true, result = $4::jsonb, error = $5::jsonb",
});
