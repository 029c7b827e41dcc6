import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { requireAgent } from "../../../src/domain/kernel/guard.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { TaskFields, taskJson } from "../tools/task-shape.ts";

const MOST_LISTED = 50;

export const TASK_TEMPLATE = {
  uriTemplate: "agent-ops://tasks/{task_id}",
  name: "task",
  title: "Task",
  description: "A task with its input, output and artifacts.",
  mimeType: "application/json",
};

const ListHeldTasks = graphql(`
  query ListHeldTasks($limit: Int!, $agentId: ID!) {
    tasks(
      first: $limit
      filter: { claimedByAgentId: $agentId, statuses: [WORKING, INPUT_REQUIRED, AUTH_REQUIRED] }
    ) {
      nodes {
        id: uuid
        title
        queue
      }
    }
  }
`);

/** The newest tasks that the caller holds; none for callers who may not read tasks. */
export async function listHeldTasks(ctx: Ctx): Promise<object[]> {
  const { id: agentId, scopes } = requireAgent(ctx);
  if (!scopes.has("tasks:read")) return [];
  const { tasks } = await execute(ctx, ListHeldTasks, {
    limit: MOST_LISTED,
    agentId: toGlobalId("Agent", agentId),
  });
  return tasks.nodes.map(({ id, title, queue }) => ({
    uri: `agent-ops://tasks/${id}`,
    name: id,
    title,
    mimeType: "application/json",
    description: `A task of the queue ${queue} that you hold.`,
  }));
}

const ReadTaskVersion = graphql(`
  query ReadTaskVersion($id: ID!, $version: Int, $seconds: Int) {
    task(id: $id, currentGeneration: $version, waitSeconds: $seconds) {
      generation
    }
  }
`);

/** Reads a task's version, once it is another one than the known one or the time is over. */
export async function readTaskVersion(
  ctx: Ctx,
  id: string,
  known?: { version: number; seconds: number },
): Promise<number> {
  const { task } = await execute(ctx, ReadTaskVersion, { ...known, id: toGlobalId("Task", id) });
  return task.generation;
}

const ReadTask = graphql(
  `
    query ReadTaskResource($id: ID!) {
      task(id: $id) {
        ...WholeTaskFields
      }
    }
  `,
  [TaskFields],
);

/** @throws {DomainError} insufficient_scope without `tasks:read`; not_found. */
export async function readTask(ctx: Ctx, id: string): Promise<object> {
  const { task } = await execute(ctx, ReadTask, { id: toGlobalId("Task", id) });
  return taskJson(task);
}
