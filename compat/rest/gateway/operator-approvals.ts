import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { answerHashed } from "../shared/conditional.ts";
import {
  buildLinkHeader,
  idParameter,
  pageParameters,
  pagination,
  toPagination,
} from "../shared/parameters.ts";
import { bearerOrSession, jsonResponse, notModified, problems } from "../shared/responses.ts";
import {
  type RestApp,
  type RestServices,
  createRestApp,
  getCtx,
  guardRoute,
  guardRouteWithBody,
} from "../shared/rest-app.ts";
import { createRoute } from "../shared/route.ts";
import {
  createBody,
  jsonObject,
  nodeId,
  omitUndefined,
  reason,
  toGraphqlEnum,
  toGraphqlNames,
  uuid,
} from "../shared/shapes.ts";
import { requireStrictJson } from "./access-request.ts";
import { APPROVAL_STATUSES, ApprovalFields, approval, approvalJson } from "./approval-shape.ts";

const MAX_OFFSET = 100_000;

const requestHash = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/, "must be 64 hexadecimal digits")
  .openapi({ description: "The `request_hash` that you saw. Fails if it is another one now." });

/** A body's members besides its arguments. */
const OTHER_VALUES = 3;

const approve = z
  .strictObject({
    comment: reason.optional(),
    request_hash: requestHash.optional(),
    arguments: jsonObject(LIMITS.approvalRequestBytes).optional(),
  })
  .openapi("Approve", {
    description:
      "`arguments` replace the agent's, if `can_edit`: the policies are asked again. Like a check's, they may have no member twice and no number that readers could take for another. Without them `request_hash` is required, if `can_edit`.",
  });

const deny = z.strictObject({ comment: reason, request_hash: requestHash.optional() }).openapi("Deny");

const revoke = z.strictObject({ reason }).openapi("Revoke");

const found = jsonResponse("The approval", z.strictObject({ approval }));

/** Users only: a bearer can't do this. */
const security = [{ session: [] }];

const DECISION = [
  ...([400, 401, 403, "self_approval", "policy_denied", "emergency_stop", "agent_paused", 404] as const),
  ...(["invalid_state", 412, 413, 415, 422] as const),
] as const;

const routes = {
  list: createRoute({
    method: "get",
    path: "/operator/approvals",
    tags: ["Operators"],
    summary: "List what agents asked people, newest first",
    security: bearerOrSession("gateway:read"),
    request: {
      query: z.strictObject({
        ...pageParameters({ min: 1, max: 100, default: 50 }, MAX_OFFSET),
        status: z
          .enum(APPROVAL_STATUSES)
          .optional()
          .openapi({ description: "Only approvals with this status." }),
        agent_id: uuid.optional().openapi({ description: "Only what this agent asked." }),
      }),
    },
    responses: {
      200: jsonResponse(
        "A page of approvals",
        z.strictObject({ approvals: z.array(approval), count: z.int(), pagination }),
      ),
      304: notModified,
      ...problems("invalid_parameter", 401, 403),
    },
  }),
  read: createRoute({
    method: "get",
    path: "/operator/approvals/{id}",
    tags: ["Operators"],
    summary: "Read an approval",
    security: bearerOrSession("gateway:read"),
    request: { params: idParameter },
    responses: { 200: found, 304: notModified, ...problems(400, 401, 403, 404) },
  }),
  approve: createRoute({
    method: "post",
    path: "/operator/approvals/{id}/approve",
    tags: ["Operators"],
    summary: "Approve what an agent asked",
    description: "One person, or two if the policy says so, with its role.",
    security,
    request: { params: idParameter, ...createBody(approve) },
    responses: { 200: found, ...problems(...DECISION) },
  }),
  deny: createRoute({
    method: "post",
    path: "/operator/approvals/{id}/deny",
    tags: ["Operators"],
    summary: "Deny what an agent asked",
    description: "One denial decides. The agent reads the comment.",
    security,
    request: { params: idParameter, ...createBody(deny) },
    responses: { 200: found, ...problems(...DECISION) },
  }),
  revoke: createRoute({
    method: "post",
    path: "/operator/approvals/{id}/revoke",
    tags: ["Operators"],
    summary: "Take an approval back",
    description: "It can't be used from now on.",
    security,
    request: { params: idParameter, ...createBody(revoke) },
    responses: { 200: found, ...problems(...DECISION) },
  }),
};

const ListApprovals = graphql(
  `
    query ListApprovals($limit: Int!, $offset: Int!, $filter: ApprovalFilter) {
      approvals(first: $limit, offset: $offset, filter: $filter) {
        totalCount
        pageInfo {
          hasNextPage
        }
        nodes {
          ...ApprovalFields
        }
      }
    }
  `,
  [ApprovalFields],
);

const ReadAnyApproval = graphql(
  `
    query ReadAnyApproval($id: ID!) {
      approval(id: $id) {
        ...ApprovalFields
      }
    }
  `,
  [ApprovalFields],
);

const GrantApproval = graphql(
  `
    mutation GrantApproval($input: GrantApprovalInput!) {
      decided: grantApproval(input: $input) {
        approval {
          ...ApprovalFields
        }
      }
    }
  `,
  [ApprovalFields],
);

const DenyApproval = graphql(
  `
    mutation DenyApproval($input: DenyApprovalInput!) {
      decided: denyApproval(input: $input) {
        approval {
          ...ApprovalFields
        }
      }
    }
  `,
  [ApprovalFields],
);

const RevokeApproval = graphql(
  `
    mutation RevokeApproval($input: RevokeApprovalInput!) {
      decided: revokeApproval(input: $input) {
        approval {
          ...ApprovalFields
        }
      }
    }
  `,
  [ApprovalFields],
);

/** The routes by which people read what agents ask, and decide. */
export function operatorApprovalRoutes(services: RestServices): RestApp {
  const app = createRestApp();
  const read = guardRoute(services, { scope: "gateway:read", session: true });
  app.openapi({ ...routes.list, middleware: read }, async (c) => {
    const { limit, offset, status, agent_id } = c.req.valid("query");
    const filter = {
      ...(status !== undefined && { status: toGraphqlEnum(status) }),
      agentId: nodeId("Agent", agent_id),
    };
    const { approvals } = await execute(getCtx(c), ListApprovals, { limit, offset, filter });
    const { totalCount: total, pageInfo, nodes } = approvals;
    const count = nodes.length;
    const place = toPagination({ limit, offset, count, total, hasMore: pageInfo.hasNextPage }, MAX_OFFSET);
    c.header("link", buildLinkHeader(c.req.url, place, { status, agent_id }));
    return answerHashed(c, { approvals: nodes.map(approvalJson), count, pagination: place });
  });
  app.openapi({ ...routes.read, middleware: read }, async (c) => {
    const id = toGlobalId("Approval", c.req.valid("param").id);
    const { approval: one } = await execute(getCtx(c), ReadAnyApproval, { id });
    return answerHashed(c, { approval: approvalJson(one) });
  });
  addDecisions(app, services);
  return app;
}

function addDecisions(app: RestApp, services: RestServices): void {
  const middleware = guardRouteWithBody(services, { session: true });
  app.openapi({ ...routes.approve, middleware }, async (c) => {
    requireStrictJson(await c.req.text(), OTHER_VALUES);
    const input = {
      id: toGlobalId("Approval", c.req.valid("param").id),
      ...omitUndefined(toGraphqlNames(c.req.valid("json"))),
    };
    const { decided } = await execute(getCtx(c), GrantApproval, { input });
    return c.json({ approval: approvalJson(decided.approval) }, 200);
  });
  app.openapi({ ...routes.deny, middleware }, async (c) => {
    const input = {
      id: toGlobalId("Approval", c.req.valid("param").id),
      ...omitUndefined(toGraphqlNames(c.req.valid("json"))),
    };
    const { decided } = await execute(getCtx(c), DenyApproval, { input });
    return c.json({ approval: approvalJson(decided.approval) }, 200);
  });
  app.openapi({ ...routes.revoke, middleware }, async (c) => {
    const input = { id: toGlobalId("Approval", c.req.valid("param").id), ...c.req.valid("json") };
    const { decided } = await execute(getCtx(c), RevokeApproval, { input });
    return c.json({ approval: approvalJson(decided.approval) }, 200);
  });
}
