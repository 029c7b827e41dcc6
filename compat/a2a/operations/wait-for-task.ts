import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { isInterrupted } from "../protocol.ts";
import type { TaskStatusRow } from "../shapes/task-shape.ts";
import { readTaskStatus } from "./task-reads.ts";

/** Waits until a task has ended or waits for somebody, or the time is over. */
export async function waitForTask(ctx: Ctx, first: TaskStatusRow, seconds: number): Promise<void> {
  const untilMs = performance.now() + seconds * 1000;
  for (let task = first; !isInterrupted(task) && !isLeft(ctx);) {
    const left = Math.floor((untilMs - performance.now()) / 1000);
    if (left <= 0) return;
    const { generation } = task;
    task = await readTaskStatus(ctx, task.id, {
      generation,
      seconds: Math.min(left, LIMITS.pollSeconds.max),
    });
  }
}

/** Whether nobody waits for the answer any more. */
export function isLeft({ signal, services }: Ctx): boolean {
  return signal?.aborted === true || services.stopping?.aborted === true;
}
