import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { idParameter } from "../shared/parameters.ts";
import { bearer, jsonResponse, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import {
  anyJson,
  createBody,
  dateTime,
  omitUndefined,
  text,
  toGraphqlEnum,
  toWireEnum,
} from "../shared/shapes.ts";
import {
  EXECUTION_EFFECTS,
  WholeExecutionFields,
  wholeExecution,
  wholeExecutionJson,
} from "./execution-shape.ts";
import { amounts, toAmountsInput } from "./reservation-shape.ts";

const fence = z.int().min(1).max(Number.MAX_SAFE_INTEGER).openapi({ description: "The execution's fence." });

const used = amounts
  .optional()
  .openapi({ description: "What it used of the reservation for it, also if it is more." });

const heartbeat = z.strictObject({ fence }).openapi("ExecutionHeartbeat");

const completion = z
  .strictObject({
    fence,
    result: anyJson
      .optional()
      .openapi({ description: "For people: any JSON value of at most 64 KiB. Stored without secrets." }),
    amounts: used,
  })
  .openapi("ExecutionCompletion");

const failure = z
  .strictObject({
    fence,
    error: z.strictObject({
      code: text(LIMITS.errorCodeLength).optional(),
      message: text(LIMITS.textLength),
    }),
    effect: z.enum(EXECUTION_EFFECTS).openapi({
      description:
        "What was done before it failed. With `unknown`, the execution is unknown until a person resolves it.",
    }),
    amounts: used,
  })
  .openapi("ExecutionFailure");

const commonRoute = {
  method: "post" as const,
  tags: ["Gateway"],
  security: bearer("gateway:check"),
};

const errors = problems(400, 401, 403, 404, "lease_lost", "invalid_state", 413, 415, 422);
const endResponses = {
  200: jsonResponse(
    "The execution. Repeating the request returns the same response",
    z.strictObject({ execution: wholeExecution }),
  ),
  ...errors,
};

const routes = {
  heartbeat: createRoute({
    ...commonRoute,
    path: "/gateway/executions/{id}/heartbeat",
    summary: "Extend the lease of an execution by its length",
    request: { params: idParameter, ...createBody(heartbeat) },
    responses: {
      200: jsonResponse(
        "The new end of the lease, and what you may do: `stopped` during an emergency stop",
        z.strictObject({
          lease_expires_at: dateTime,
          control_state: z.enum(["active", "paused", "stopped"]),
        }),
      ),
      ...errors,
    },
  }),
  complete: createRoute({
    ...commonRoute,
    path: "/gateway/executions/{id}/complete",
    summary: "Report that it is done",
    request: { params: idParameter, ...createBody(completion) },
    responses: endResponses,
  }),
  fail: createRoute({
    ...commonRoute,
    path: "/gateway/executions/{id}/fail",
    summary: "Report that it failed",
    description: "The use of the approval is not given back: a person may have it done again.",
    request: { params: idParameter, ...createBody(failure) },
    responses: endResponses,
  }),
};

const HeartbeatExecution = graphql(`
  mutation HeartbeatExecution($input: HeartbeatExecutionInput!) {
    beat: heartbeatExecution(input: $input) {
      lease_expires_at: leaseExpiresAt
      controlState
    }
  }
`);

const CompleteExecution = graphql(
  `
    mutation CompleteExecution($input: CompleteExecutionInput!) {
      ended: completeExecution(input: $input) {
        execution {
          ...WholeExecutionFields
        }
      }
    }
  `,
  [WholeExecutionFields],
);

const FailExecution = graphql(
  `
    mutation FailExecution($input: FailExecutionInput!) {
      ended: failExecution(input: $input) {
        execution {
          ...WholeExecutionFields
        }
      }
    }
  `,
  [WholeExecutionFields],
);

/** The routes by which agents report about their executions. */
export function executionReportRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { scope: "gateway:check" });
  app.openapi({ ...routes.heartbeat, middleware }, async (c) => {
    const input = { id: toNodeId(c.req.valid("param")), ...c.req.valid("json") };
    const { controlState, lease_expires_at } = (await execute(getCtx(c), HeartbeatExecution, { input })).beat;
    return c.json({ lease_expires_at, control_state: toWireEnum(controlState) }, 200);
  });
  app.openapi({ ...routes.complete, middleware }, async (c) => {
    const { amounts: asked, ...report } = c.req.valid("json");
    const input = omitUndefined({ id: toNodeId(c.req.valid("param")), ...report, ...toAmountsInput(asked) });
    const { ended } = await execute(getCtx(c), CompleteExecution, { input });
    return c.json({ execution: wholeExecutionJson(ended.execution) }, 200);
  });
  app.openapi({ ...routes.fail, middleware }, async (c) => {
    const { fence: held, error, effect, amounts: asked } = c.req.valid("json");
    const input = {
      id: toNodeId(c.req.valid("param")),
      fence: held,
      error: omitUndefined(error),
      effect: toGraphqlEnum(effect),
      ...toAmountsInput(asked),
    };
    const { ended } = await execute(getCtx(c), FailExecution, { input });
    return c.json({ execution: wholeExecutionJson(ended.execution) }, 200);
  });
  return app;
}

function toNodeId({ id }: z.output<typeof idParameter>): string {
  return toGlobalId("Execution", id.toLowerCase());
}
