import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import type { ResultOf } from "gql.tada";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { IDEMPOTENT, jsonResponse, bearer, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import {
  ExceededBudgetFields,
  ReservationFields,
  exceededBudget,
  exceededBudgetJson,
  reservation,
  reservationJson,
} from "./reservation-shape.ts";
import { createRoute } from "../shared/route.ts";
import { accessRequest, readRequestText } from "./access-request.ts";
import { anyJson, createBody, dateTime, toWireEnum, uuid, wholeNumber } from "../shared/shapes.ts";

const askedApproval = z
  .strictObject({
    id: uuid,
    status: z.enum(["pending", "approved", "denied", "expired", "cancelled"]),
    expires_at: dateTime.openapi({ description: "Until when people can decide." }),
    approved_until: dateTime.nullable(),
    comment: z.string().nullable().openapi({ description: "Why a person denied or revoked it." }),
  })
  .openapi("AskedApproval", { description: "The question to people, if they were asked." });

const startedExecution = z
  .strictObject({
    id: uuid.openapi({ description: "The key for the effect." }),
    fence: z.int().openapi({
      description: "Larger in each execution: whoever performs the effect can reject a smaller one.",
    }),
    lease_expires_at: dateTime,
    arguments: anyJson.openapi({
      description:
        "What people put in the place of your arguments: execute these. Null if they changed nothing.",
    }),
  })
  .openapi("StartedExecution", { description: "The execution that the use of an approval opened." });

const check = z
  .strictObject({
    id: uuid.openapi({ description: "The decision's id, under which it is logged." }),
    status: z.enum(["allowed", "denied", "pending"]).openapi({
      description: "`pending`: people are asked. Act only on `allowed`.",
    }),
    reason: z.enum([
      "policy_allow",
      "default_allow",
      "approval_granted",
      "approval_required",
      "approval_denied",
      "budget_exceeded",
      "approval_expired",
      "approval_unverifiable",
      "out_of_scope",
      "policy_deny",
      "policy_error",
      "default_deny",
      "arguments_missing",
      "request_unusable",
      "agent_paused",
      "agent_stopped",
      "emergency_stop",
    ]),
    policies: z
      .array(z.string())
      .nullable()
      .openapi({ description: "The names of the policies that decided. Null without `gateway:read`." }),
    decided_at: dateTime,
    approval: askedApproval.optional(),
    execution: startedExecution.optional(),
    reservation: reservation.optional().openapi({
      description: "What was reserved of budgets, if some apply: settle or release it.",
    }),
    budget: exceededBudget.optional().openapi({ description: "With `budget_exceeded`: the budget." }),
  })
  .openapi("GatewayCheck");

const options = z
  .strictObject({
    auto_request: z.boolean().default(true).openapi({
      description: "Whether to use an approval, and to ask people if there is none. Without it: denied.",
    }),
    wait: wholeNumber(LIMITS.pollSeconds)
      .default(LIMITS.pollSeconds.default)
      .openapi({ description: "How long to wait for people, in seconds." }),
    accept_edits: z.boolean().default(false).openapi({
      description: "Whether people may change the arguments. You must then execute those of `execution`.",
    }),
  })
  .openapi("GatewayCheckOptions");

const routes = {
  check: createRoute({
    method: "post",
    path: "/gateway/check",
    tags: ["Gateway"],
    summary: "Ask whether an action is allowed",
    description:
      "An agent asks before it acts. Whatever the answer is, its status is 200: act only on `allowed`. Denied is also what can't be decided. Where policies ask, people are asked, unless they have answered the same question: ask again to use their approval, once. `context.approval.id` uses that approval and no other.",
    security: bearer("gateway:check"),
    request: createBody(
      z.strictObject({ request: accessRequest, options: options.optional() }).openapi("GatewayCheckRequest"),
    ),
    responses: {
      200: jsonResponse("The decision", z.strictObject({ check })),
      ...problems(...IDEMPOTENT, 401, 403, 404, 413, 415, 422),
    },
  }),
};

const CheckGateway = graphql(
  `
    mutation CheckGateway($input: CheckGatewayInput!) {
      checked: checkGateway(input: $input) {
        check {
          id: uuid
          status
          reason
          policies
          decided_at: decidedAt
          approval {
            id: uuid
            status
            expires_at: expiresAt
            approved_until: approvedUntil
            comment
          }
          execution {
            id: uuid
            fence
            lease_expires_at: leaseExpiresAt
            arguments
          }
          reservation {
            ...ReservationFields
          }
          budget {
            ...ExceededBudgetFields
          }
        }
      }
    }
  `,
  [ReservationFields, ExceededBudgetFields],
);

/** The route by which agents ask before they act. */
export function gatewayCheckRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const middleware = guardRouteWithBody(services, { scope: "gateway:check", idempotent: true });
  app.openapi({ ...routes.check, middleware }, async (c) => {
    const { options: given } = c.req.valid("json");
    const requestText = readRequestText(await c.req.text(), OPTION_VALUES);
    const input = { requestText, ...(given !== undefined && toCheckOptions(given)) };
    const { checked } = await execute(getCtx(c), CheckGateway, { input });
    return c.json({ check: checkJson(checked.check) }, 200);
  });
  return app;
}

function toCheckOptions({
  auto_request: autoRequest,
  wait,
  accept_edits: acceptEdits,
}: z.output<typeof options>) {
  return { autoRequest, waitSeconds: wait, acceptEdits };
}

function checkJson(checked: ResultOf<typeof CheckGateway>["checked"]["check"]) {
  const { status, reason, approval, execution, reservation: held, budget, ...rest } = checked;
  return {
    ...rest,
    ...(execution !== null && { execution }),
    status: toWireEnum(status),
    reason: toWireEnum(reason),
    ...(approval !== null && { approval: { ...approval, status: toWireEnum(approval.status) } }),
    ...(held !== null && { reservation: reservationJson(held) }),
    ...(budget !== null && { budget: exceededBudgetJson(budget) }),
  };
}

/** The options as values. */
const OPTION_VALUES = 1 + Object.keys(options.shape).length;
