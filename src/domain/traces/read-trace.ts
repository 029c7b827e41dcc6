import { z } from "zod";
import type { Prisma, Trace } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { traceId } from "./trace-ids.ts";

const shape = z.object({ traceId });

/**
 * Reads one trace. `query` selects columns.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; not_found, also if it is too old.
 */
export async function readTrace(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.TraceFindUniqueArgs, "select"> = {},
): Promise<Trace> {
  requireScope(ctx, "traces:read");
  const { traceId: id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const trace = await ctx.db.trace.findUnique({ ...query, where });
  if (trace === null) throw createNotFoundError("trace");
  return trace;
}
