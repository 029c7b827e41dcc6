import { NOW, sql } from "../../db/sql.ts";
import type { LateQuestion } from "../emails/email.ts";
import type { Ctx } from "../kernel/context.ts";

/** Questions that came after `since` (null for the first one) and until `until`. */
export type QuestionSpan = { since: Date | null; until: Date };

/** The most questions in an email. */
const MOST = 20;

/** Reads the questions of a time that still wait, the oldest first: at most 20. */
export async function readLateQuestions(
  ctx: Ctx,
  { since, until }: QuestionSpan,
): Promise<{ questions: LateQuestion[]; hasMore: boolean }> {
  const found = await ctx.read(READ, [ctx.workspaceId, since, until]);
  return { questions: found.slice(0, MOST), hasMore: found.length > MOST };
}

const READ = sql<LateQuestion>`
SELECT COALESCE(left(parts -> 0 ->> 'text', 200), '') AS text, sender ->> 'name' AS by,
  EXTRACT(EPOCH FROM ${NOW} - created_at)::int AS "waitingSeconds"
FROM message
WHERE workspace_id = $1::uuid AND waiting AND created_at <= $3::timestamptz
  AND created_at > COALESCE($2::timestamptz, '-infinity')
ORDER BY created_at, id LIMIT ${MOST + 1}`;
