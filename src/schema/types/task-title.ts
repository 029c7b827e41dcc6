import type { Ctx } from "../../domain/kernel/context.ts";
import { readTaskTitles } from "../../domain/tasks/read-task-titles.ts";
import { createBatchLoader } from "../batch-loader.ts";

const loadTaskTitle = createBatchLoader<string>(readTaskTitles);

/** Null without a task, once it was deleted, or if the caller may not read tasks. */
export async function findTaskTitle(ctx: Ctx, taskId: string | null): Promise<string | null> {
  return taskId === null ? null : ((await loadTaskTitle(ctx, taskId)) ?? null);
}
