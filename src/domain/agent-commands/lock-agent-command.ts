import { NOW, sql } from "../../db/sql.ts";
import { TABLES, selectList } from "../../db/columns.ts";
import type { AgentCommand } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";

/** A locked command, and the time of the transaction. */
export type LockedCommand = { command: AgentCommand; now: Date };

const LOCK = sql<AgentCommand & { $now: Date }>`
SELECT ${selectList("c", TABLES.agentCommand)}, date_trunc('milliseconds', ${NOW}) AS "$now"
FROM agent_command c WHERE workspace_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE`;

/**
 * Locks a command's row until the transaction ends.
 *
 * @throws {DomainError} not_found.
 */
export async function lockAgentCommand({ run, ctx }: Transaction, id: string): Promise<LockedCommand> {
  const values = [ctx.workspaceId, id];
  const [row] = await run(LOCK, values);
  if (row === undefined) throw createNotFoundError("command");
  const { $now: now, ...command } = row;
  return { command, now };
}

/**
 * {@link lockAgentCommand} for the command's agent.
 *
 * @throws {DomainError} not_found, also for another agent's command.
 */
export async function lockOwnCommand(tx: Transaction, id: string): Promise<LockedCommand> {
  const locked = await lockAgentCommand(tx, id);
  const { actor } = tx.ctx;
  if (actor.type !== "agent" || actor.id !== locked.command.agentId) throw createNotFoundError("command");
  return locked;
}

/**
 * Checks a command's generation.
 *
 * @throws {DomainError} precondition_failed if it is none of the given ones.
 */
export function requireCommandGeneration(
  { generation }: AgentCommand,
  known: readonly number[] | null | undefined,
): void {
  if (known === null || known === undefined || known.includes(generation)) return;
  throw new DomainError(
    "precondition_failed",
    `The command has changed: its generation is ${generation}. Read it again.`,
  );
}
