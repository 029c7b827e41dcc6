import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { readGenerations } from "../shared/conditional.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { heldTask, leaseToken } from "./held-task.ts";
import { idParameter } from "../shared/parameters.ts";
import { jsonResponse, bearer, problems } from "../shared/responses.ts";
import { createRoute } from "../shared/route.ts";
import { anyJson, createBody, omitUndefined, part, reason, text } from "../shared/shapes.ts";
import { TaskFields, task, taskJson } from "./task-shape.ts";

const completion = z
  .strictObject({
    lease_token: leaseToken,
    output: anyJson.optional(),
    artifacts: z
      .array(
        z.strictObject({
          artifact_id: text(LIMITS.nameLength),
          name: text(LIMITS.nameLength).optional(),
          parts: z.array(part).min(1).max(LIMITS.parts),
        }),
      )
      .max(LIMITS.artifacts)
      .optional(),
  })
  .openapi("TaskCompletion");

const failure = z
  .strictObject({
    lease_token: leaseToken,
    error: z.strictObject({
      code: text(LIMITS.errorCodeLength).optional(),
      message: text(LIMITS.textLength),
      retryable: z.boolean().optional().openapi({ description: "Default: true." }),
    }),
  })
  .openapi("TaskFailure");

const rejection = z
  .strictObject({
    lease_token: leaseToken
      .nullish()
      .openapi({ description: "Not needed if the task is unclaimed and assigned to you." }),
    reason: reason.nullish(),
  })
  .openapi("TaskRejection");

const leaseBody = z.strictObject({ lease_token: leaseToken }).openapi("TaskLease");

const security = bearer("tasks:work");
const taskResponses = {
  200: jsonResponse("The task. Repeating the request returns the same response", z.strictObject({ task })),
  ...problems(400, 401, 403, 404, "lease_lost", "invalid_state", 412, 413, 415, 422),
};

const routes = {
  complete: createRoute({
    method: "post",
    path: "/tasks/{id}/complete",
    tags: ["Work"],
    summary: "Complete a task with its output",
    security,
    request: { params: idParameter, ...createBody(completion) },
    responses: taskResponses,
  }),
  fail: createRoute({
    method: "post",
    path: "/tasks/{id}/fail",
    tags: ["Work"],
    summary: "Report a failed attempt",
    description:
      "If the error is retryable and attempts are left, the task is ready again after 2^attempt seconds, at most 300. Otherwise it fails.",
    security,
    request: { params: idParameter, ...createBody(failure) },
    responses: taskResponses,
  }),
  reject: createRoute({
    method: "post",
    path: "/tasks/{id}/reject",
    tags: ["Work"],
    summary: "Reject a task permanently",
    security,
    request: { params: idParameter, ...createBody(rejection) },
    responses: taskResponses,
  }),
  release: createRoute({
    method: "post",
    path: "/tasks/{id}/release",
    tags: ["Work"],
    summary: "Return a task to its queue. The attempt counts",
    security,
    request: { params: idParameter, ...createBody(leaseBody) },
    responses: taskResponses,
  }),
  acknowledge: createRoute({
    method: "post",
    path: "/tasks/{id}/cancel_ack",
    tags: ["Work"],
    summary: "Confirm that work on a canceled task has stopped",
    security,
    request: { params: idParameter, ...createBody(leaseBody) },
    responses: taskResponses,
  }),
};

const CompleteTask = graphql(
  `
    mutation CompleteTask($input: CompleteTaskInput!) {
      settled: completeTask(input: $input) {
        task {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

const FailTask = graphql(
  `
    mutation FailTask($input: FailTaskInput!) {
      settled: failTask(input: $input) {
        task {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

const RejectTask = graphql(
  `
    mutation RejectTask($input: RejectTaskInput!) {
      settled: rejectTask(input: $input) {
        task {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

const ReleaseTask = graphql(
  `
    mutation ReleaseTask($input: ReleaseTaskInput!) {
      settled: releaseTask(input: $input) {
        task {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

const AcknowledgeTaskCancel = graphql(
  `
    mutation AcknowledgeTaskCancel($input: AcknowledgeTaskCancelInput!) {
      settled: acknowledgeTaskCancel(input: $input) {
        task {
          ...TaskFields
        }
      }
    }
  `,
  [TaskFields],
);

/** The routes to finish, release or reject a claimed task. */
export function taskSettleRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { scope: "tasks:work" });
  app.openapi({ ...routes.complete, middleware }, async (c) => {
    const { output, artifacts } = c.req.valid("json");
    const call = heldTask(c.req.valid("param"), c.req.valid("json"));
    const input = omitUndefined({ ...call, output, artifacts, ifGeneration: readGenerations(c) });
    const { settled: made } = await execute(getCtx(c), CompleteTask, { input });
    return c.json({ task: taskJson(made.task) }, 200);
  });
  app.openapi({ ...routes.fail, middleware }, async (c) => {
    const call = heldTask(c.req.valid("param"), c.req.valid("json"));
    const error = omitUndefined(c.req.valid("json").error);
    const input = omitUndefined({ ...call, error, ifGeneration: readGenerations(c) });
    const { settled: made } = await execute(getCtx(c), FailTask, { input });
    return c.json({ task: taskJson(made.task) }, 200);
  });
  app.openapi({ ...routes.reject, middleware }, async (c) => {
    const { lease_token: leaseToken, reason } = c.req.valid("json");
    const id = toGlobalId("Task", c.req.valid("param").id.toLowerCase());
    const input = omitUndefined({ id, leaseToken, reason, ifGeneration: readGenerations(c) });
    const { settled: made } = await execute(getCtx(c), RejectTask, { input });
    return c.json({ task: taskJson(made.task) }, 200);
  });
  app.openapi({ ...routes.release, middleware }, async (c) => {
    const call = heldTask(c.req.valid("param"), c.req.valid("json"));
    const input = omitUndefined({ ...call, ifGeneration: readGenerations(c) });
    const { settled: made } = await execute(getCtx(c), ReleaseTask, { input });
    return c.json({ task: taskJson(made.task) }, 200);
  });
  app.openapi({ ...routes.acknowledge, middleware }, async (c) => {
    const call = heldTask(c.req.valid("param"), c.req.valid("json"));
    const input = omitUndefined({ ...call, ifGeneration: readGenerations(c) });
    const { settled: made } = await execute(getCtx(c), AcknowledgeTaskCancel, { input });
    return c.json({ task: taskJson(made.task) }, 200);
  });
  return app;
}
