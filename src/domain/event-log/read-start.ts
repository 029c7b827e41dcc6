import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { type EventPosition, parseEventPosition } from "./event-cursor.ts";

/** Why a reader can't continue and must read its lists again. */
export type ResetReason = "cursor_expired" | "epoch_changed";

/** The position at which a reader starts. */
export type EventStart = {
  /** The requested position. Default: the newest event. */
  from: EventPosition;
  /** Null if all events after `from` are kept. */
  reset: ResetReason | null;
  newest: EventPosition;
  /** The position before the oldest event that is kept. */
  oldest: EventPosition;
};

type Head = { epoch: string; seq: number; minSeq: number };

/**
 * Resolves a cursor to a position in the workspace's events.
 *
 * @throws {DomainError} validation_failed if it is not a cursor of this workspace.
 */
export async function readStart(ctx: Ctx, after: string | null): Promise<EventStart> {
  const [head] = await ctx.read(HEAD, [ctx.workspaceId]);
  if (head === undefined) throw createNotFoundError("workspace");
  const { epoch, seq, minSeq } = head;
  const newest = { epoch, seq };
  const oldest = { epoch, seq: minSeq - 1 };
  if (after === null) return { from: newest, reset: null, newest, oldest };
  const from = parseEventPosition("after", after);
  if (from.epoch !== epoch) await rejectForeign(ctx, from);
  return { from, reset: findResetReason(from, head), newest, oldest };
}

function findResetReason(from: EventPosition, { epoch, seq, minSeq }: Head): ResetReason | null {
  // A position after the newest event is from before a restore.
  if (from.epoch !== epoch || from.seq > seq) return "epoch_changed";
  return from.seq < minSeq - 1 ? "cursor_expired" : null;
}

/** An epoch of no existing workspace may be a former one of this workspace. */
async function rejectForeign(ctx: Ctx, { epoch }: EventPosition): Promise<void> {
  const others = await ctx.read(OWNER, [epoch]);
  if (others.length > 0) throw createFieldError("after", "is not a cursor of this workspace");
}

const HEAD = share(
  sql<Head>`SELECT epoch::text, seq::float8, min_seq::float8 AS "minSeq" FROM workspace_head WHERE workspace_id = $1::uuid`,
);

const OWNER = sql`SELECT 1 AS found FROM workspace_head WHERE epoch = $1::uuid`;
