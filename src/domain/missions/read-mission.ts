import { sql } from "../../db/sql.ts";
import { z } from "zod";
import type { Mission, Prisma } from "../../db/generated/client.ts";
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
 * Reads one mission; with `currentGeneration`, waits until it changes. `query` selects columns and
 * relations.
 *
 * @throws {DomainError} insufficient_scope without `missions:read`; not_found; validation_failed.
 */
export async function readMission(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.MissionFindUniqueArgs, "include" | "select"> = {},
): Promise<Mission> {
  requireScope(ctx, "missions:read");
  const { id, currentGeneration, waitSeconds } = parseInput(shape, input);
  const seconds = typeof currentGeneration === "number" ? (waitSeconds ?? 0) : 0;
  const waitOptions = { seconds, concerns: (event: StoredEvent) => event.subjectId === id };
  if (seconds > 0) await waitFor(ctx, waitOptions, () => findChange(ctx, id, currentGeneration));
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const mission = await ctx.db.mission.findUnique({ ...query, where });
  if (mission === null) throw createNotFoundError("mission");
  return mission;
}

const GENERATION = sql<{
  generation: number;
}>`SELECT generation FROM mission WHERE workspace_id = $1::uuid AND id = $2::uuid`;

/** True if the generation differs or the mission does not exist. */
async function findChange(ctx: Ctx, id: string, known: number | null | undefined): Promise<true | null> {
  const [mission] = await ctx.read(GENERATION, [ctx.workspaceId, id]);
  return mission?.generation === known ? null : true;
}
