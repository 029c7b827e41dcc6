import { z } from "@hono/zod-openapi";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createFieldError } from "../../../src/domain/kernel/errors.ts";
import { requireAgent } from "../../../src/domain/kernel/guard.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import { idParameter } from "../shared/parameters.ts";
import { IDEMPOTENT, bearer, jsonResponse, notModified, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { createBody, omitUndefined, uuid, wholeNumber } from "../shared/shapes.ts";
import { accessRequest, readRequestText } from "./access-request.ts";
import { WholeExecutionFields, wholeExecution, wholeExecutionJson } from "./execution-shape.ts";
import { executionPage, executionQuery, readExecutionPage } from "./execution-list.ts";

const newExecution = z
  .strictObject({
    approval_id: uuid.optional().openapi({ description: "The approval to use." }),
    decision_id: uuid
      .optional()
      .openapi({ description: "Instead of an approval: the check that allowed it." }),
    request: accessRequest.openapi({
      description: "The request as it was checked, or with the arguments that an approver put in place.",
    }),
    lease_s: wholeNumber(LIMITS.executionLeaseSeconds)
      .optional()
      .openapi({ description: "Seconds until you must report or send a heartbeat. Default: 120." }),
  })
  .openapi("NewExecution", { description: "Give either `approval_id` or `decision_id`." });

const routes = {
  start: createRoute({
    method: "post",
    path: "/gateway/executions",
    tags: ["Gateway"],
    summary: "Begin to do what was approved or allowed",
    description:
      "Uses the approval: of any number of requests, no more succeed than it has uses. Policies and stops are checked again. Act only on 201, pass the execution's id on as the key for the effect, and report how it ended.",
    security: bearer("gateway:check"),
    request: createBody(newExecution),
    responses: {
      201: jsonResponse("The execution", z.strictObject({ execution: wholeExecution })),
      ...problems(
        ...([...IDEMPOTENT, 401, 403, "policy_denied", "approval_required", "emergency_stop"] as const),
        ...(["agent_paused", 404, "already_executed", "lease_lost", "arguments_changed"] as const),
        ...(["approval_expired", 413, 415, 422] as const),
      ),
    },
  }),
  list: createRoute({
    method: "get",
    path: "/gateway/executions",
    tags: ["Gateway"],
    summary: "List your executions, newest first",
    description:
      "Those that are `started` and have `retry_of` are to be done again: a person decided so. An event `execution.started` says so at once.",
    security: bearer("gateway:check"),
    request: { query: executionQuery },
    responses: {
      200: jsonResponse("A page of executions", executionPage),
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/gateway/executions/{id}",
    tags: ["Gateway"],
    summary: "Read one of your executions",
    security: bearer("gateway:check"),
    request: { params: idParameter },
    responses: {
      200: jsonResponse("The execution", z.strictObject({ execution: wholeExecution })),
      304: notModified,
      ...problems(400, 401, 403, 404),
    },
  }),
};

const RedeemApproval = graphql(
  `
    mutation RedeemApproval($input: RedeemApprovalInput!) {
      started: redeemApproval(input: $input) {
        execution {
          ...WholeExecutionFields
        }
      }
    }
  `,
  [WholeExecutionFields],
);

const StartExecution = graphql(
  `
    mutation StartExecution($input: StartExecutionInput!) {
      started: startExecution(input: $input) {
        execution {
          ...WholeExecutionFields
        }
      }
    }
  `,
  [WholeExecutionFields],
);

const ReadOwnExecution = graphql(
  `
    query ReadOwnExecution($id: ID!) {
      execution(id: $id) {
        ...WholeExecutionFields
      }
    }
  `,
  [WholeExecutionFields],
);

/** The routes by which agents start executions, and read their own. */
export function executionRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const start = guardRouteWithBody(services, { scope: "gateway:check", idempotent: true });
  app.openapi({ ...routes.start, middleware: start }, async (c) => {
    const requestText = readRequestText(await c.req.text(), OTHER_VALUES);
    const { execution } = await startBy(getCtx(c), c.req.valid("json"), requestText);
    const started = wholeExecutionJson(execution);
    return c.json({ execution: started }, 201, { location: `/api/v1/gateway/executions/${started.id}` });
  });
  const read = guardRoute(services, { scope: "gateway:check" });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const { id } = requireAgent(getCtx(c));
    const query = c.req.valid("query");
    const { page, link } = await readExecutionPage(c, { ...query, agent_id: id });
    return c.json(page, 200, { link: link({ status: query.status }) });
  });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const ctx = getCtx(c);
    const id = toGlobalId("Execution", c.req.valid("param").id.toLowerCase());
    const { execution } = await execute(ctx, ReadOwnExecution, { id });
    return answerHashed(c, { execution: wholeExecutionJson(execution) }, execution.generation);
  });
  return app;
}

/** The approval or the check, and the lease. */
const OTHER_VALUES = 2;

async function startBy(
  ctx: Ctx,
  { approval_id: approval, decision_id: decision, lease_s: leaseSeconds }: z.output<typeof newExecution>,
  requestText: string,
) {
  const call = omitUndefined({ requestText, leaseSeconds });
  if (approval !== undefined && decision !== undefined) {
    throw createFieldError("decision_id", "can't be combined with approval_id");
  }
  if (approval !== undefined) {
    const approvalId = toGlobalId("Approval", approval.toLowerCase());
    return (await execute(ctx, RedeemApproval, { input: { ...call, approvalId } })).started;
  }
  if (decision === undefined) throw createFieldError("approval_id", "is required, or decision_id");
  return (await execute(ctx, StartExecution, { input: { ...call, decisionUuid: decision } })).started;
}
