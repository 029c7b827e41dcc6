import { createHash } from "node:crypto";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { requireScope } from "../../../src/domain/kernel/guard.ts";
import { withIdempotencyKey } from "../../../src/domain/kernel/with-idempotency-key.ts";
import { A2aError } from "../a2a-error.ts";
import type { Call, Updates } from "../operation.ts";
import { continueTask } from "./continue-task.ts";
import { createTask } from "./create-task.ts";
import { followTask } from "./follow-task.ts";
import { type SendMessageInput, sendMessageInput } from "./message-input.ts";
import { readInput } from "./read-input.ts";
import { readTaskStatus, readWholeTask } from "./task-reads.ts";
import { waitForTask } from "./wait-for-task.ts";

/** Below the minute after which many clients and proxies give up. */
export const SEND_SECONDS = 50;

/**
 * Makes a task of a message, or adds it to a task: as the answer, if the task waits for one. Then waits until nothing
 * happens with the task unless somebody sends something, at most {@link SEND_SECONDS}.
 *
 * @throws {A2aError} INVALID_PARAMS; TASK_NOT_FOUND; UNSUPPORTED_OPERATION for a task that has ended;
 *   PUSH_NOTIFICATION_NOT_SUPPORTED.
 */
export async function sendMessage({ ctx, input }: Call): Promise<object> {
  const asked = readInput(sendMessageInput, input);
  const { returnImmediately = false, historyLength } = asked.configuration ?? {};
  const id = await send(ctx, asked);
  if (!returnImmediately) await waitForTask(ctx, await readTaskStatus(ctx, id), SEND_SECONDS);
  return { task: await readWholeTask(ctx, id, historyLength) };
}

/** {@link sendMessage}, which tells what happens meanwhile. */
export async function sendStreamingMessage({ ctx, input }: Call): Promise<Updates> {
  const asked = readInput(sendMessageInput, input);
  const id = await send(ctx, asked);
  return followTask(ctx, await readTaskStatus(ctx, id), asked.configuration?.historyLength);
}

/** @returns the id of the task. */
async function send(ctx: Ctx, asked: SendMessageInput): Promise<string> {
  requireScope(ctx, "tasks:read");
  const { message, metadata, configuration } = asked;
  const push = configuration?.taskPushNotificationConfig ?? null;
  if (push !== null) {
    throw new A2aError("PUSH_NOTIFICATION_NOT_SUPPORTED", "There are no push notifications here.");
  }
  // It may have characters that a key can't have.
  const digest = createHash("sha256").update(message.messageId).digest("base64url");
  const same = { key: `a2a:${digest}`, asked: { message, metadata } };
  const { taskId } = message;
  return withIdempotencyKey(ctx, same, () =>
    taskId === undefined ? createTask(ctx, asked) : continueTask(ctx, taskId, asked),
  );
}
