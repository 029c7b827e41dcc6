import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { hasScope } from "../../../src/domain/kernel/has-scope.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createUnknownTaskError } from "../a2a-error.ts";
import { type OutputRow, toArtifacts } from "../shapes/artifact-shape.ts";
import { MessageFields, type MessageRow, createHistory } from "../shapes/message-shape.ts";
import { TaskFields, type TaskStatusRow, TaskStatusFields, taskJson } from "../shapes/task-shape.ts";

const ReadStatus = graphql(
  `
    query ReadPeerTaskStatus($id: ID!, $generation: Int, $seconds: Int, $messages: Boolean!) {
      task(id: $id, currentGeneration: $generation, waitSeconds: $seconds) {
        ...PeerTaskStatusFields
      }
    }
  `,
  [TaskStatusFields],
);

/**
 * Reads what changes of a task while it is worked on.
 *
 * @param known waits for another generation, for so many seconds.
 * @throws {A2aError} TASK_NOT_FOUND.
 * @throws {DomainError} insufficient_scope without `tasks:read`; what ends a wait.
 */
export async function readTaskStatus(
  ctx: Ctx,
  id: string,
  known: { generation?: number; seconds?: number } = {},
): Promise<TaskStatusRow> {
  const variables = { ...known, id: toGlobalId("Task", id), messages: mayReadMessages(ctx) };
  return (await findTask(execute(ctx, ReadStatus, variables))).task;
}

const ReadTask = graphql(
  `
    query ReadPeerTask($id: ID!, $messages: Boolean!) {
      task(id: $id) {
        ...PeerTaskFields
        input
        output
        artifacts
        createdBy {
          uuid
        }
      }
    }
  `,
  [TaskFields],
);

const ReadHistory = graphql(
  `
    query ReadPeerTaskHistory($id: ID!, $limit: Int!) {
      messages(first: $limit, filter: { taskId: $id }) {
        nodes {
          ...PeerMessageFields
        }
      }
    }
  `,
  [MessageFields],
);

/** How many messages a task has at most, and unless something else is asked for. */
const HISTORY = { most: 100, usual: 50 };

/**
 * Reads a task with its artifacts and newest messages, as the protocol spells it.
 *
 * @throws {A2aError} TASK_NOT_FOUND.
 * @throws {DomainError} insufficient_scope without `tasks:read`.
 */
export async function readWholeTask(ctx: Ctx, id: string, historyLength?: number): Promise<object> {
  const taskId = toGlobalId("Task", id);
  const { task } = await findTask(execute(ctx, ReadTask, { id: taskId, messages: mayReadMessages(ctx) }));
  const limit = Math.min(historyLength ?? HISTORY.usual, HISTORY.most);
  const messages = limit > 0 && mayReadMessages(ctx) ? await readHistory(ctx, id, limit) : [];
  return taskJson(task, {
    artifacts: toArtifacts(task),
    history: createHistory(ctx, { task, messages, limit }),
  });
}

/** Reads the newest messages about a task, newest first. */
export async function readHistory(
  ctx: Ctx,
  id: string,
  limit: number = HISTORY.most,
): Promise<readonly MessageRow[]> {
  const { messages } = await execute(ctx, ReadHistory, { id: toGlobalId("Task", id), limit });
  return messages.nodes;
}

const ReadOutput = graphql(`
  query ReadPeerTaskOutput($id: ID!) {
    task(id: $id) {
      output
      artifacts
    }
  }
`);

/** Reads what a task has given. */
export async function readTaskOutput(ctx: Ctx, id: string): Promise<OutputRow> {
  return (await findTask(execute(ctx, ReadOutput, { id: toGlobalId("Task", id) }))).task;
}

/** Questions and messages are shown to those who may read messages. */
export function mayReadMessages(ctx: Ctx): boolean {
  return hasScope(ctx, "messages:read");
}

async function findTask<Found>(reading: Promise<Found>): Promise<Found> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof DomainError && error.code === "not_found" ? createUnknownTaskError() : error;
  }
}
