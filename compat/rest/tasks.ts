import { createRoute, z } from "@hono/zod-openapi";
import type { ResultOf } from "gql.tada";
import { HANDLE, LIMITS } from "../../src/domain/limits.ts";
import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { answerHashed, unchanged, validators } from "./conditional.ts";
import { type RestApp, type RestServices, createRestApp, ctxOf, guarded, guardedWithBody } from "./face.ts";
import { integer, linkOf, pagination, paginationOf } from "./parameters.ts";
import { answer, bearer, notModified, problems } from "./responses.ts";
import { actor, anyJson, dateTime, given, lower, newDateTime, nodeId, part, uuid } from "./shapes.ts";

const MAX_OFFSET = 10_000;

const task = z
  .strictObject({
    id: uuid,
    context_id: uuid,
    title: z.string(),
    queue: z.string(),
    assignee_agent_id: uuid.nullable(),
    input: z.array(part),
    status: z.enum(["submitted", "working", "input_required", "completed", "failed", "canceled", "rejected"]),
    status_message: z.string().nullable(),
    priority: z.int(),
    progress: z.number().nullable(),
    output: anyJson,
    artifacts: anyJson,
    error: anyJson,
    claimed_by_agent_id: uuid.nullable(),
    attempt: z.int(),
    max_attempts: z.int(),
    run_after: dateTime.nullable(),
    deadline_at: dateTime.nullable(),
    cancel_requested_at: dateTime.nullable(),
    parent_task_id: uuid.nullable(),
    mission_id: uuid.nullable(),
    trace_id: z.string().nullable(),
    labels: anyJson,
    metadata: anyJson,
    created_by: actor,
    generation: z.int(),
    created_at: dateTime,
    updated_at: dateTime,
    finished_at: dateTime.nullable(),
  })
  .openapi("Task");

const newTask = z
  .object({
    title: z.string().min(1).max(LIMITS.titleLength),
    queue: z.string().regex(HANDLE).optional(),
    assignee_agent_id: z.guid().nullish(),
    input: z.array(part).max(LIMITS.parts).optional(),
    priority: z.int().min(LIMITS.priority.min).max(LIMITS.priority.max).optional(),
    max_attempts: z.int().min(LIMITS.maxAttempts.min).max(LIMITS.maxAttempts.max).optional(),
    run_after: newDateTime.nullish(),
    deadline_at: newDateTime.nullish(),
    context_id: z.guid().nullish(),
    parent_task_id: z.guid().nullish(),
    labels: z.record(z.string(), z.string()).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi("NewTask");

const routes = {
  list: createRoute({
    method: "get",
    path: "/tasks",
    tags: ["Tasks"],
    summary: "List tasks, newest first",
    security: bearer("tasks:read"),
    request: {
      query: z.object({
        limit: integer({ min: 0, max: 100, default: 50 }),
        offset: integer({ min: 0, max: MAX_OFFSET, default: 0 }),
      }),
    },
    responses: {
      200: answer("A page of tasks", z.strictObject({ tasks: z.array(task), count: z.int(), pagination })),
      304: notModified,
      ...problems(400, 401, 403),
    },
  }),
  create: createRoute({
    method: "post",
    path: "/tasks",
    tags: ["Tasks"],
    summary: "Create a task",
    security: bearer("tasks:write"),
    request: { body: { content: { "application/json": { schema: newTask } }, required: true } },
    responses: {
      201: answer("The task", z.strictObject({ task })),
      ...problems(400, 401, 403, 409, 413, 415, 422),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/tasks/{id}",
    tags: ["Tasks"],
    summary: "Read a task",
    security: bearer("tasks:read"),
    request: { params: z.object({ id: z.guid() }) },
    responses: {
      200: answer("The task", z.strictObject({ task })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
};

const TaskFields = graphql(`
  fragment TaskFields on Task {
    id: uuid
    context_id: contextId
    title
    queue
    assignee_agent_id: assigneeAgentUuid
    input
    status
    status_message: statusMessage
    priority
    progress
    output
    artifacts
    error
    claimed_by_agent_id: claimedByAgentUuid
    attempt
    max_attempts: maxAttempts
    run_after: runAfter
    deadline_at: deadlineAt
    cancel_requested_at: cancelRequestedAt
    parent_task_id: parentTaskUuid
    mission_id: missionUuid
    trace_id: traceId
    labels
    metadata
    created_by: createdBy {
      type
      id: uuid
      name
    }
    generation
    created_at: createdAt
    updated_at: updatedAt
    finished_at: finishedAt
  }
`);

const ListTasks = graphql(
  `
    query ListTasks($limit: Int!, $offset: Int!) {
      tasks(first: $limit, offset: $offset) {
        totalCount
        version
        nodes {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

const ReadTask = graphql(
  `
    query ReadTask($id: ID!) {
      task(id: $id) {
        ...TaskFields
      }
    }
  `,
  [TaskFields],
);

const CreateTask = graphql(
  `
    mutation CreateTask($input: CreateTaskInput!) {
      createTask(input: $input) {
        task {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

/** The routes of /api/v1/tasks. */
export function taskRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi({ ...routes.list, middleware: guarded(services, { scope: "tasks:read" }) }, async (c) => {
    const same = await unchanged(c, services.build, "TASKS");
    if (same !== null) return same;
    const { limit, offset } = c.req.valid("query");
    const { tasks } = await execute(ctxOf(c), ListTasks, { limit, offset });
    const count = tasks.nodes.length;
    const total = tasks.totalCount;
    const place = paginationOf({ limit, offset, count, total }, MAX_OFFSET);
    const headers = { ...validators(c, services.build, tasks.version), link: linkOf(c.req.url, place) };
    return c.json({ tasks: tasks.nodes.map(taskJson), count, pagination: place }, 200, headers);
  });
  const write = guardedWithBody(services, { scope: "tasks:write", idempotent: true });
  app.openapi({ ...routes.create, middleware: write }, async (c) => {
    const { createTask } = await execute(ctxOf(c), CreateTask, { input: taskInput(c.req.valid("json")) });
    const made = taskJson(createTask.task);
    return c.json({ task: made }, 201, { location: `/api/v1/tasks/${made.id}` });
  });
  const read = guarded(services, { scope: "tasks:read" });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const id = toGlobalId("Task", c.req.valid("param").id.toLowerCase());
    const { task: found } = await execute(ctxOf(c), ReadTask, { id });
    return answerHashed(c, { task: taskJson(found) });
  });
  return app;
}

function taskInput(body: z.output<typeof newTask>) {
  return given({
    title: body.title,
    queue: body.queue,
    assigneeAgentId: nodeId("Agent", body.assignee_agent_id),
    input: body.input,
    priority: body.priority,
    maxAttempts: body.max_attempts,
    runAfter: body.run_after,
    deadlineAt: body.deadline_at,
    contextId: body.context_id,
    parentTaskId: nodeId("Task", body.parent_task_id),
    labels: body.labels,
    metadata: body.metadata,
  });
}

function taskJson(row: ResultOf<typeof TaskFields>) {
  const { created_by: by, status } = row;
  return { ...row, status: lower(status), created_by: { ...by, type: lower(by.type) } };
}
