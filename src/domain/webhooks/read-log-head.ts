import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";

/** The newest event's place in the workspace's log, and that of the oldest one that is kept. */
export async function readLogHead({ run, ctx }: Transaction): Promise<{ seq: bigint; minSeq: bigint }> {
  const [head] = await run(HEAD, [ctx.workspaceId]);
  if (head === undefined) throw createNotFoundError("workspace");
  return { seq: BigInt(head.seq), minSeq: BigInt(head.minSeq) };
}

const HEAD = sql<{ seq: string; minSeq: string }>`
SELECT seq::text, min_seq::text AS "minSeq" FROM workspace_head WHERE workspace_id = $1::uuid`;
