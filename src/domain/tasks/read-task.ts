import { sql } from "../../db/sql.ts";
import { z } from "zod";
import type { Prisma, Task } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import type { StoredEvent } from "../event-log/stored-event.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { waitFor } from "../kernel/wait-for.ts";

const shape = z.object({
  id: uuid,
  /** The generation that the caller has. Waits for a different one. */
  currentGeneration: z.int().nullish(),
  waitSeconds: wholeNumber(LIMITS.pollSeconds).nullish(),
});

/**
 * Reads one task; with `currentGeneration`, waits until it changes. `query` selects columns and relations.
 *
 * @throws {DomainError} insufficient_scope without `tasks:read`; not_found; validation_failed.
 */
export async function readTask(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.TaskFindUniqueArgs, "include" | "select"> = {},
): Promise<Task> {
  requireScope(ctx, "tasks:read");
  const { id, currentGeneration, waitSeconds } = parseInput(shape, input);
  const seconds = typeof currentGeneration === "number" ? (waitSeconds ?? 0) : 0;
  const waitOptions = { seconds, concerns: (event: StoredEvent) => event.subjectId === id };
  if (seconds > 0) await waitFor(ctx, waitOptions, () => findChange(ctx, id, currentGeneration));
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const task = await ctx.db.task.findUnique({ ...query, where });
  if (task === null) throw createNotFoundError("task");
  return task;
}

const GENERATION = sql<{
  generation: number;
}>`SELECT generation FROM task WHERE workspace_id = $1::uuid AND id = $2::uuid`;

/** True if the generation differs or the task does not exist. */
async function findChange(ctx: Ctx, id: string, known: number | null | undefined): Promise<true | null> {
  const [task] = await ctx.read(GENERATION, [ctx.workspaceId, id]);
  return task?.generation === known ? null : true;
}
