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
  wholeNumber,
} from "../shared/shapes.ts";
import { TaskFields, task, taskJson } from "./task-shape.ts";

const lease = z
  .strictObject({
    token: z.string().openapi({ description: "Shown this once; every call about the task carries it." }),
    expires_at: dateTime,
    attempt: z.int().openapi({
      description:
        "The fencing token: grows with every claim of the task. Key effects by the task's id instead, which stays.",
    }),
  })
  .openapi("Lease");

const claim = z
  .strictObject({
    queues: z.array(handle).min(1).max(LIMITS.claimQueues).optional(),
    lease_s: wholeNumber(LIMITS.leaseSeconds).optional(),
    wait: wholeNumber(LIMITS.pollSeconds).optional(),
  })
  .openapi("TaskClaim", {
    description: "The queue `default`, 60 seconds and no waiting where they are left out.",
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
    summary: "Claim the next task of some queues, and wait for one",
    description:
      "The highest priority first, then the longest ready. An agent that is paused or stopped, and every agent under an emergency stop, gets none.",
    security,
    request: createBody(claim),
    responses: {
      200: jsonResponse("A task and its lease", z.strictObject({ task, lease })),
      204: { description: "There is none" },
      ...problems(400, 401, 403, 413, 415, 422),
    },
  }),
  heartbeat: createRoute({
    method: "post",
    path: "/tasks/{id}/heartbeat",
    tags: ["Work"],
    summary: "Extend a lease, and tell how far the work is",
    security,
    request: { params: idParameter, ...createBody(heartbeat) },
    responses: {
      200: jsonResponse(
        "How the holder stands",
        z.strictObject({
          lease_expires_at: dateTime
            .nullable()
            .openapi({ description: "Null while the task waits for an answer." }),
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

/** The routes by which agents get and keep tasks. */
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
