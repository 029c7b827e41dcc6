import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { countReadBytes } from "../kernel/read-bytes.ts";
import {
  type SkeletonRow,
  type TraceSkeleton,
  countSkeletonBytes,
  selectSkeleton,
  toSkeleton,
} from "./skeleton.ts";
import { spanId } from "./trace-ids.ts";

/** The most spans of a page. */
export const SKELETON_PAGE = { min: 1, max: 20_000 } as const;

const shape = z.object({
  /** The trace's UUID. */
  id: uuid,
  after: spanId.nullish(),
  first: wholeNumber(SKELETON_PAGE).nullish(),
});

/**
 * Reads the skeleton of a trace. Empty if there is no such trace.
 *
 * @throws {DomainError} insufficient_scope without `traces:read`; validation_failed.
 */
export async function readSkeleton(ctx: Ctx, input: z.input<typeof shape>): Promise<TraceSkeleton> {
  requireScope(ctx, "traces:read");
  const { id, after, first } = parseInput(shape, input);
  const size = first ?? SKELETON_PAGE.max;
  const [row] = await ctx.read(SKELETON, [ctx.workspaceId, id, after ?? "", size + 1]);
  if (row === undefined) throw new Error("a trace was read without a result");
  countReadBytes(ctx, countSkeletonBytes(row));
  return toSkeleton(row, size);
}

const SKELETON = sql<SkeletonRow>`${selectSkeleton(
  "s.span_id > decode($3, 'hex') ORDER BY s.span_id LIMIT $4::int",
)} WHERE t.workspace_id = $1::uuid AND t.id = $2::uuid`;
