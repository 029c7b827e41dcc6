import { TABLES } from "../../db/columns.ts";
import type { Message } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { readRelated } from "../kernel/read-related.ts";

/**
 * Reads the questions that tasks wait for.
 *
 * @returns questions by task. Tasks that don't wait are left out.
 * @throws {DomainError} insufficient_scope without `messages:read`; invalid_request if they are too large.
 */
export async function readOpenQuestions(ctx: Ctx, taskIds: string[]): Promise<Map<string, Message>> {
  requireScope(ctx, "messages:read");
  const questions = await readRelated<Message & { taskId: string }>(ctx, {
    table: TABLES.message,
    query: OPEN_QUESTIONS,
    order: "q.id",
    ids: taskIds,
    what: "questions",
  });
  return new Map(questions.map((question) => [question.taskId, question]));
}

/** A question concerns the task that waits for it. */
const OPEN_QUESTIONS = `SELECT m.* FROM task t
  JOIN message m ON m.workspace_id = t.workspace_id AND m.id = t.question_id AND m.task_id = t.id
  WHERE t.workspace_id = $1::uuid AND t.id = ANY($2::uuid[]) AND t.status = 'input_required'`;
