import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
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
import {
  createBody,
  dateTime,
  omitUndefined,
  handle,
  toWireEnum,
  share,
  text,
  traceparent,
  wholeNumber,
} from "../shared/shapes.ts";
import { TaskFields, task, taskJson } from "./task-shape.ts";

const lease = z
  .strictObject({
    token: z.string().openapi({ description: "Shown only once. Send it with every call about this task." }),
    expires_at: dateTime,
    attempt: z.int().openapi({
      description:
        "Fencing token: grows with every claim of the task. For idempotency keys of your own, use the task's id, which never changes.",
    }),
    traceparent,
  })
  .openapi("Lease");

const claim = z
  .strictObject({
    queues: z.array(handle).min(1).max(LIMITS.claimQueues).optional(),
    lease_s: wholeNumber(LIMITS.leaseSeconds).optional(),
    wait: wholeNumber(LIMITS.pollSeconds).optional(),
  })
  .openapi("TaskClaim", {
    description: "Defaults: the queue `default`, a lease of 60 seconds, no waiting.",
  });

const heartbeat = z
  .strictObject({
    lease_token: leaseToken,
    progress: share.nullish(),
    status_message: text(LIMITS.textLength).nullish(),
  })
  .openapi("TaskHeartbeat");

const security = bearer("tasks:work");

const routes = {
  claim: createRoute({
    method: "post",
    path: "/tasks/claim",
    tags: ["Work"],
    summary: "Claim the next task, optionally waiting for one",
    description:
      "Highest priority first, then the one that has been ready longest. Returns no task while the agent is paused or stopped, or during an emergency stop.",
    security,
    request: createBody(claim),
    responses: {
      200: jsonResponse("A task and its lease", z.strictObject({ task, lease })),
      204: { description: "No task is available" },
      ...problems(400, 401, 403, 413, 415, 422),
    },
  }),
  heartbeat: createRoute({
    method: "post",
    path: "/tasks/{id}/heartbeat",
    tags: ["Work"],
    summary: "Extend a lease and report progress",
    security,
    request: { params: idParameter, ...createBody(heartbeat) },
    responses: {
      200: jsonResponse(
        "The new lease, and whether to stop",
        z.strictObject({
          lease_expires_at: dateTime
            .nullable()
            .openapi({ description: "Null while the task waits for an answer to a question." }),
          cancel_requested: z.boolean(),
          control_state: z.enum(["active", "paused", "stopped"]),
        }),
      ),
      ...problems(400, 401, 403, 404, "lease_lost", "invalid_state", 413, 415, 422),
    },
  }),
};

const ClaimTask = graphql(
  `
    mutation ClaimTask($input: ClaimTaskInput!) {
      claimTask(input: $input) {
        task {
          ...TaskFields
        }
        lease {
          token
          expires_at: expiresAt
          attempt
          traceparent
        }
      }
    }
  `,
  [TaskFields],
);

const HeartbeatTask = graphql(`
  mutation HeartbeatTask($input: HeartbeatTaskInput!) {
    heartbeatTask(input: $input) {
      lease_expires_at: leaseExpiresAt
      cancel_requested: cancelRequested
      control_state: controlState
    }
  }
`);

/** The routes to claim tasks and keep their leases. */
export function taskClaimRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { scope: "tasks:work" });
  app.openapi({ ...routes.claim, middleware }, async (c) => {
    const { queues, lease_s: leaseSeconds, wait: waitSeconds } = c.req.valid("json");
    const input = omitUndefined({ queues, leaseSeconds, waitSeconds });
    const { claimTask } = await execute(getCtx(c), ClaimTask, { input });
    if (claimTask.task === null || claimTask.lease === null) return c.body(null, 204);
    const claimed = { task: taskJson(claimTask.task), lease: claimTask.lease };
    return c.json(claimed, 200, { "cache-control": "no-store" });
  });
  app.openapi({ ...routes.heartbeat, middleware }, async (c) => {
    const { progress, status_message: statusMessage } = c.req.valid("json");
    const input = omitUndefined({
      ...heldTask(c.req.valid("param"), c.req.valid("json")),
      progress,
      statusMessage,
    });
    const { heartbeatTask: answered } = await execute(getCtx(c), HeartbeatTask, { input });
    return c.json({ ...answered, control_state: toWireEnum(answered.control_state) }, 200);
  });
  return app;
}
