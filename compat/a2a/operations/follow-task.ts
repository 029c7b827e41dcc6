import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { SendUpdate, Updates } from "../operation.ts";
import { isSettled, isTerminal } from "../protocol.ts";
import { toArtifacts } from "../shapes/artifact-shape.ts";
import { type TaskStatusRow, statusUpdateJson } from "../shapes/task-shape.ts";
import { readTaskOutput, readTaskStatus, readWholeTask } from "./task-reads.ts";
import { isLeft } from "./wait-for-task.ts";

/** What has no event, such as progress, is looked for this often. Between changes, this often there is a sign of life. */
const TURN_SECONDS = 10;

/** Like sockets, a stream ends after a day; its client opens another. */
const MOST_MS = 86_400_000;

/**
 * Follows a task: the whole of it first, then each change, until nothing happens unless somebody sends something.
 *
 * @param task as it was read before the whole of it.
 */
export async function followTask(ctx: Ctx, task: TaskStatusRow, historyLength?: number): Promise<Updates> {
  return {
    first: { task: await readWholeTask(ctx, task.id, historyLength) },
    follow: (send) => follow(ctx, task, send),
  };
}

async function follow(ctx: Ctx, first: TaskStatusRow, send: SendUpdate): Promise<void> {
  const untilMs = performance.now() + MOST_MS;
  let known = first;
  while (!isTerminal(known) && !isLeft(ctx) && performance.now() < untilMs) {
    const { id, generation } = known;
    const task = await readTaskStatus(ctx, id, { generation, seconds: TURN_SECONDS });
    await sendChange(ctx, { known, task }, send);
    if (isSettled(task) && !isSettledAlike(known, task)) return;
    known = task;
  }
}

/** Whether a task waited before, and for the same answer. */
function isSettledAlike(known: TaskStatusRow, task: TaskStatusRow): boolean {
  return isSettled(known) && known.question?.id === task.question?.id;
}

type Change = { known: TaskStatusRow; task: TaskStatusRow };

/** Sends what a task has given before that it has ended. */
async function sendChange(ctx: Ctx, { known, task }: Change, send: SendUpdate): Promise<void> {
  if (isSame(known, task)) return send(null);
  if (task.status === "COMPLETED") {
    const { id: taskId, contextId } = task;
    for (const artifact of toArtifacts(await readTaskOutput(ctx, taskId))) {
      await send({ artifactUpdate: { taskId, contextId, artifact, append: false, lastChunk: true } });
    }
  }
  return send({ statusUpdate: statusUpdateJson(task) });
}

/** Whether a client would see no difference. */
function isSame(known: TaskStatusRow, task: TaskStatusRow): boolean {
  const seen = { generation: 0, updatedAt: "" };
  const [before, after] = [known, task].map((row) => JSON.stringify(statusUpdateJson({ ...row, ...seen })));
  return before === after;
}
