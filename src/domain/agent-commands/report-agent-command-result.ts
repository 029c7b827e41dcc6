import canonicalize from "canonicalize";
import { z } from "zod";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { DomainError, invalid } from "../errors.ts";
import { append } from "../events.ts";
import { requireAgent, requireScope } from "../guard.ts";
import { jsonProblem, parseInput, text, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { endCommand } from "./command-moves.ts";
import { requireCommandState } from "./command-states.ts";
import { type LockedCommand, lockOwnCommand } from "./lock-agent-command.ts";
import { type CommandMove, moveAgentCommand } from "./move-agent-command.ts";

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
 * Tells what came of a command. The first report counts; the same again is answered alike. One that comes
 * after the command has timed out is kept, marked `late`, and leaves the status as it is.
 *
 * @throws {DomainError} insufficient_scope without `agent_commands:ack`; not_found for another agent's;
 *   validation_failed; invalid_state, for a report that differs from the first too.
 */
export async function reportAgentCommandResult(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<AgentCommand> {
  requireScope(ctx, "agent_commands:ack");
  requireAgent(ctx);
  const { id, ...given } = parseInput(shape, input);
  const report = reportOf(given);
  return ctx.transaction(async (tx) => {
    const locked = await lockOwnCommand(tx, id);
    if (isReported(locked.command)) return requireSame(locked.command, report);
    const { command, appended } = await moveAgentCommand(tx, locked, moveOf(locked, report));
    await append(tx, appended);
    return command;
  });
}

/** A failure says why, and a success has nothing to say of it: so what was reported shows without its status too. */
function reportOf({ status, result, error }: Omit<z.output<typeof shape>, "id">): Report {
  if (status === "failed" && !error) throw invalid("error", "must be there where the command failed");
  if (status === "succeeded" && error)
    throw invalid("error", "must not be there where the command succeeded");
  return { status, result: result ?? null, error: error ?? null };
}

function isReported({ status, late }: AgentCommand): boolean {
  return status === "succeeded" || status === "failed" || late;
}

function requireSame(command: AgentCommand, report: Report): AgentCommand {
  if (canonicalize([command.result, command.error]) === canonicalize([report.result, report.error]))
    return command;
  const message = "Another result of this command was reported before.";
  throw new DomainError("invalid_state", message, { currentStatus: command.status, allowed: [] });
}

function moveOf(locked: LockedCommand, { status, result, error }: Report): CommandMove {
  // JSON that was held to its shape above; null is what the columns have already.
  const kept = { ...(result !== null && { result: result as object }), ...(error !== null && { error }) };
  if (locked.command.status === "timed_out") {
    return { event: "agent_command.updated", data: { ...kept, late: true } };
  }
  requireCommandState(locked.command, "result");
  return endCommand(locked, status, { ...kept, ...(status === "succeeded" && { progress: 1 }) });
}
