import { z } from "zod";
import { sql } from "../../../db/sql.ts";
import type { Ctx } from "../../kernel/context.ts";
import { createNotFoundError } from "../../kernel/errors.ts";
import { append } from "../../kernel/events.ts";
import { requireRole, requireScope, requireUser } from "../../kernel/guard.ts";
import { parseInput, uuid } from "../../kernel/input.ts";
import { describeScore } from "./describe-score.ts";
import { SCORE_COLUMNS, type TraceScore } from "./trace-score.ts";

const shape = z.object({ id: uuid });

/**
 * Deletes a score: one's own, or as an admin anybody's.
 *
 * @throws {DomainError} insufficient_scope for agents without `traces:write`; forbidden for the score of somebody else,
 *   and for people without a session; not_found.
 */
export async function deleteScore(ctx: Ctx, input: z.input<typeof shape>): Promise<TraceScore> {
  if (ctx.actor.type === "agent") requireScope(ctx, "traces:write");
  else requireUser(ctx);
  const { id } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const [score] = await tx.run(DELETE, [ctx.workspaceId, id]);
    if (score === undefined) throw createNotFoundError("score");
    if (!("id" in ctx.actor) || score.givenBy.id !== ctx.actor.id) requireRole(ctx, "admin");
    append(tx, describeScore(ctx, "trace.score_deleted", score));
    return score;
  });
}

const DELETE = sql<TraceScore>`
DELETE FROM trace_score s WHERE workspace_id = $1::uuid AND id = $2::uuid RETURNING ${SCORE_COLUMNS}`;
