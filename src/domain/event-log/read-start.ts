import { share, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { type EventPosition, parseEventPosition } from "./event-cursor.ts";

/** Why a reader can't go on where it was: it has to read its lists anew. */
export type ResetReason = "cursor_expired" | "epoch_changed";

/** Where a reader begins. */
export type EventStart = {
  /** As it was asked for; the newest event where nothing was. */
  from: EventPosition;
  /** Null where every event after `from` is there. */
  reset: ResetReason | null;
  newest: EventPosition;
  /** The place before the oldest event that is kept. */
  oldest: EventPosition;
};

type Head = { epoch: string; seq: number; minSeq: number };

/**
 * Finds the place in the workspace's events that a cursor names.
 *
 * @throws {DomainError} validation_failed for what is no cursor of this workspace.
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
  // A place ahead of the newest event is of a history that a backup has undone.
  if (from.epoch !== epoch || from.seq > seq) return "epoch_changed";
  return from.seq < minSeq - 1 ? "cursor_expired" : null;
}

/** An epoch that nobody has was this workspace's once, or could have been. */
async function rejectForeign(ctx: Ctx, { epoch }: EventPosition): Promise<void> {
  const others = await ctx.read(OWNER, [epoch]);
  if (others.length > 0) throw createFieldError("after", "is not a cursor of this workspace");
}

const HEAD = share(
  sql<Head>`SELECT epoch::text, seq::float8, min_seq::float8 AS "minSeq" FROM workspace_head WHERE workspace_id = $1::uuid`,
);

const OWNER = sql`SELECT 1 AS found FROM workspace_head WHERE epoch = $1::uuid`;
