import type { Message } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Reads the questions that tasks wait for.
 *
 * @returns questions by task. Tasks that don't wait are left out.
 * @throws {DomainError} insufficient_scope without `messages:read`.
 */
export async function readOpenQuestions(ctx: Ctx, taskIds: string[]): Promise<Map<string, Message>> {
  requireScope(ctx, "messages:read");
  const tasks = await ctx.db.task.findMany({
    where: { id: { in: taskIds }, status: "input_required" },
    select: { id: true, question: true },
  });
  return new Map(tasks.flatMap(({ id, question }) => (question === null ? [] : [[id, question] as const])));
}
