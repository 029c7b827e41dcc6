import { z } from "@hono/zod-openapi";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed, readGenerations, answerIfUnchanged, buildValidators } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import {
  idParameter,
  buildLinkHeader,
  pageParameters,
  pagination,
  toPagination,
  poll,
  toPollInput,
} from "../shared/parameters.ts";
import { IDEMPOTENT, jsonResponse, bearer, notModified, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { omitUndefined, handle, newDateTime, nodeId, reason, toGraphqlEnum, uuid } from "../shared/shapes.ts";
import { TASK_STATUSES, TaskFields, newTask, task, taskInput, taskJson } from "./task-shape.ts";

const MAX_OFFSET = 10_000;

const cancellation = z.strictObject({ reason: reason.nullish() }).openapi("TaskCancellation");

const routes = {
  list: createRoute({
    method: "get",
    path: "/tasks",
    tags: ["Tasks"],
    summary: "List tasks, newest first",
    security: bearer("tasks:read"),
    request: {
      query: z.object({
        ...pageParameters({ min: 0, max: 100, default: 50 }, MAX_OFFSET),
        status: z.enum(TASK_STATUSES).optional().openapi({ description: "Only tasks with this status." }),
        queue: handle.optional().openapi({ description: "Only tasks in this queue." }),
        assignee: uuid.optional().openapi({ description: "Only tasks assigned to this agent." }),
        context_id: uuid.optional().openapi({ description: "Only tasks in this conversation." }),
        updated_after: newDateTime.optional().openapi({
          description: "Only tasks changed after this time. Progress doesn't count as a change.",
        }),
      }),
    },
    responses: {
      200: jsonResponse(
        "A page of tasks",
        z.strictObject({ tasks: z.array(task), count: z.int(), pagination }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
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
      201: jsonResponse("The task", z.strictObject({ task })),
      ...problems(...IDEMPOTENT, 401, 403, "quota_exceeded", 413, 415, 422),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/tasks/{id}",
    tags: ["Tasks"],
    summary: "Read a task, optionally waiting for a change",
    security: bearer("tasks:read"),
    request: {
      params: idParameter,
      query: poll,
    },
    responses: {
      200: jsonResponse("The task", z.strictObject({ task })),
      304: notModified,
      ...problems("invalid_parameter", 401, 403, 404),
    },
  }),
  cancel: createRoute({
    method: "post",
    path: "/tasks/{id}/cancel",
    tags: ["Tasks"],
    summary: "Cancel a task",
    description:
      "An unclaimed task is canceled at once. Otherwise its agent is notified and has 30 seconds to acknowledge. Repeating the request changes nothing.",
    security: bearer("tasks:write"),
    request: {
      params: idParameter,
      body: { content: { "application/json": { schema: cancellation } } },
    },
    responses: {
      200: jsonResponse("The task", z.strictObject({ task })),
      ...problems(400, 401, 403, 404, "invalid_state", 412, 413, 415, 422),
    },
  }),
};

const ListTasks = graphql(
  `
    query ListTasks($limit: Int!, $offset: Int!, $filter: TaskFilter) {
      tasks(first: $limit, offset: $offset, filter: $filter) {
        totalCount
        version
        pageInfo {
          hasNextPage
        }
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
    query ReadTask($id: ID!, $currentGeneration: Int, $waitSeconds: Int) {
      task(id: $id, currentGeneration: $currentGeneration, waitSeconds: $waitSeconds) {
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

const CancelTask = graphql(
  `
    mutation CancelTask($input: CancelTaskInput!) {
      cancelTask(input: $input) {
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
  app.openapi({ ...routes.list, middleware: guardRoute(services, { scope: "tasks:read" }) }, async (c) => {
    const same = await answerIfUnchanged(c, services.build, {
      of: "TASKS",
      status: c.req.valid("query").status,
    });
    if (same !== null) return same;
    const { limit, offset, ...filters } = c.req.valid("query");
    const { tasks } = await execute(getCtx(c), ListTasks, { limit, offset, filter: taskFilter(filters) });
    const count = tasks.nodes.length;
    const { totalCount: total, pageInfo } = tasks;
    const hasMore = pageInfo.hasNextPage;
    const place = toPagination({ limit, offset, count, total, hasMore }, MAX_OFFSET);
    const headers = {
      ...buildValidators(c, services.build, tasks.version),
      link: buildLinkHeader(c.req.url, place, filters),
    };
    return c.json({ tasks: tasks.nodes.map(taskJson), count, pagination: place }, 200, headers);
  });
  const write = guardRouteWithBody(services, { scope: "tasks:write", idempotent: true });
  app.openapi({ ...routes.create, middleware: write }, async (c) => {
    const { createTask } = await execute(getCtx(c), CreateTask, { input: taskInput(c.req.valid("json")) });
    const made = taskJson(createTask.task);
    return c.json({ task: made }, 201, { location: `/api/v1/tasks/${made.id}` });
  });
  const read = guardRoute(services, { scope: "tasks:read" });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const id = toGlobalId("Task", c.req.valid("param").id.toLowerCase());
    const asked = { id, ...toPollInput(c.req.valid("query")) };
    const { task: found } = await execute(getCtx(c), ReadTask, asked);
    return answerHashed(c, { task: taskJson(found) }, found.generation);
  });
  const cancel = guardRouteWithBody(services, { scope: "tasks:write" });
  app.openapi({ ...routes.cancel, middleware: cancel }, async (c) => {
    const id = toGlobalId("Task", c.req.valid("param").id.toLowerCase());
    const { reason } = c.req.valid("json");
    const input = omitUndefined({ id, reason, ifGeneration: readGenerations(c) });
    const { cancelTask } = await execute(getCtx(c), CancelTask, { input });
    return c.json({ task: taskJson(cancelTask.task) }, 200);
  });
  return app;
}

type TaskFilters = Pick<
  z.output<typeof routes.list.request.query>,
  "status" | "queue" | "assignee" | "context_id" | "updated_after"
>;

function taskFilter({ status, queue, assignee, ...rest }: TaskFilters) {
  return omitUndefined({
    status: status === undefined ? undefined : toGraphqlEnum(status),
    queue,
    assigneeAgentId: assignee === undefined ? undefined : nodeId("Agent", assignee),
    contextId: rest.context_id,
    updatedAfter: rest.updated_after,
  });
}
