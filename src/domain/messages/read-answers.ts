import { TABLES } from "../../db/columns.ts";
import type { Message } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { readRelated } from "../kernel/read-related.ts";

/**
 * Reads the answers to questions.
 *
 * @returns answers by question. Questions without one are left out.
 * @throws {DomainError} insufficient_scope without `messages:read`; invalid_request if they are too large.
 */
export async function readAnswers(ctx: Ctx, questionIds: string[]): Promise<Map<string, Message>> {
  requireScope(ctx, "messages:read");
  const answers = await readRelated<Message & { replyToId: string }>(ctx, {
    table: TABLES.message,
    query: ANSWERS,
    order: "q.id",
    ids: questionIds,
    what: "answers",
  });
  return new Map(answers.map((answer) => [answer.replyToId, answer]));
}

const ANSWERS = `SELECT m.* FROM message question
  JOIN message m ON m.workspace_id = question.workspace_id AND m.id = question.answered_by_id
  WHERE question.workspace_id = $1::uuid AND question.id = ANY($2::uuid[])`;
