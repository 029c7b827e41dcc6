import { z } from "@hono/zod-openapi";
import { createNotFoundError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import { idParameter, integer } from "../shared/parameters.ts";
import { bearer, jsonResponse, notModified, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import { noBody } from "../shared/shapes.ts";
import { ApprovalFields, approval, approvalJson } from "./approval-shape.ts";

const found = jsonResponse("The approval", z.strictObject({ approval }));

const routes = {
  read: createRoute({
    method: "get",
    path: "/gateway/approvals/{id}",
    tags: ["Gateway"],
    summary: "Read your question to people, optionally waiting for their answer",
    security: bearer("gateway:check"),
    request: {
      params: idParameter,
      query: z.strictObject({
        wait: integer(LIMITS.pollSeconds).openapi({
          description: "Maximum seconds to wait while it is pending.",
        }),
      }),
    },
    responses: { 200: found, 304: notModified, ...problems("invalid_parameter", 401, 403, 404) },
  }),
  cancel: createRoute({
    method: "post",
    path: "/gateway/approvals/{id}/cancel",
    tags: ["Gateway"],
    summary: "Take back your question to people",
    security: bearer("gateway:check"),
    request: { params: idParameter, ...noBody },
    responses: { 200: found, ...problems(400, 401, 403, 404, "invalid_state", 413, 415, 422) },
  }),
};

const ReadApproval = graphql(
  `
    query ReadApproval($id: ID!, $waitSeconds: Int) {
      approval(id: $id, waitSeconds: $waitSeconds) {
        ...ApprovalFields
      }
    }
  `,
  [ApprovalFields],
);

const CancelApproval = graphql(
  `
    mutation CancelApproval($id: ID!) {
      cancelled: cancelApproval(input: { id: $id }) {
        approval {
          ...ApprovalFields
        }
      }
    }
  `,
  [ApprovalFields],
);

/** The routes by which agents follow what they asked people. */
export function approvalRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  app.openapi({ ...routes.read, middleware: guardRoute(services, { scope: "gateway:check" }) }, async (c) => {
    const id = toGlobalId("Approval", c.req.valid("param").id);
    const { wait: waitSeconds } = c.req.valid("query");
    const { approval: read } = await execute(getCtx(c), ReadApproval, { id, waitSeconds });
    const { actor } = getCtx(c);
    if (actor.type !== "agent" || read.agent_id !== actor.id) throw createNotFoundError("approval");
    return answerHashed(c, { approval: approvalJson(read) });
  });
  app.openapi(
    { ...routes.cancel, middleware: guardRouteWithBody(services, { scope: "gateway:check" }) },
    async (c) => {
      const id = toGlobalId("Approval", c.req.valid("param").id);
      const { cancelled } = await execute(getCtx(c), CancelApproval, { id });
      return c.json({ approval: approvalJson(cancelled.approval) }, 200);
    },
  );
  return app;
}
