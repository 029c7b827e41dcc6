import { toTraceId } from "../../src/domain/traces/trace-ids.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { executionCalls, executionRoutes } from "./execution-calls.ts";
import type { FieldCall, RouteCall } from "./calls.ts";
import { toolUse } from "./hook-scene.ts";
import { mcpServerCalls } from "./mcp-server-calls.ts";
import { a2aRoutes } from "./a2a-calls.ts";
import { mcpRoutes } from "./mcp-calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

const RULE = { effect: "ALLOW", actions: ["tools/*"] };
const NO_POLICIES = "version: 1\npolicies: []\n";
const FAR = "2126-01-01T00:00:00Z";
const CALL = { action: { name: "tools/call" }, resource: { type: "tool", id: "x.y" } };

/** Calls of all GraphQL fields of the gateway with another workspace's ids. */
export function gatewayCalls(other: PopulatedWorkspace): Record<string, FieldCall[]> {
  const { ids, word } = other;
  const id = toGlobalId("Policy", ids.policy);
  const approval = toGlobalId("Approval", ids.approval);
  const rule = { ...RULE, name: `Policy ${word}` };
  const check = (request: object, outcome: FieldCall["outcome"]): FieldCall => ({
    args: { input: { requestText: JSON.stringify({ ...CALL, ...request }) } },
    outcome,
  });
  const subject = { type: "agent", id: ids.agent };
  const entity = { type: "user", entityId: word };
  return {
    ...mcpServerCalls(other),
    policies: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0, filter: { enabled: true } }, outcome: "own" },
    ],
    policy: [{ args: { id }, outcome: "NOT_FOUND" }],
    policyVersions: [{ args: { id, first: 1, beforeGeneration: 9 }, outcome: "NOT_FOUND" }],
    validatePolicy: [{ args: { rule }, outcome: "own" }],
    createPolicy: [{ args: { input: { rule } }, outcome: "own", forPeople: true }],
    updatePolicy: [{ args: { input: { id, rule } }, outcome: "NOT_FOUND", forPeople: true }],
    deletePolicy: [{ args: { input: { id } }, outcome: "NOT_FOUND", forPeople: true }],
    policyFile: [{ args: {}, outcome: "own" }],
    previewPolicyFile: [{ args: { text: NO_POLICIES }, outcome: "own", forPeople: true }],
    applyPolicyFile: [{ args: { input: { text: NO_POLICIES } }, outcome: "own", forPeople: true }],
    gatewayEntities: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0, filter: { type: "user" } }, outcome: "own" },
    ],
    gatewayEntity: [{ args: entity, outcome: "NOT_FOUND" }],
    saveGatewayEntity: [{ args: { input: { ...entity, properties: {} } }, outcome: "own" }],
    deleteGatewayEntity: [{ args: { input: { ...entity, entityId: `no ${word}` } }, outcome: "NOT_FOUND" }],
    decisions: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0 }, outcome: "own" },
      { args: { filter: { agentId: toGlobalId("Agent", ids.agent) } }, outcome: "own" },
      { args: { filter: { taskId: toGlobalId("Task", ids.task) } }, outcome: "own" },
      { args: { filter: { traceId: toTraceId(ids.trace) } }, outcome: "own" },
    ],
    decision: [{ args: { id: toGlobalId("Decision", ids.decision) }, outcome: "NOT_FOUND" }],
    approvals: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0, filter: { status: "PENDING" } }, outcome: "own" },
      { args: { filter: { agentId: toGlobalId("Agent", ids.agent) } }, outcome: "own" },
      { args: { filter: { taskId: toGlobalId("Task", ids.task) } }, outcome: "own" },
    ],
    approval: [
      { args: { id: approval }, outcome: "NOT_FOUND" },
      { args: { id: approval, waitSeconds: 25 }, outcome: "NOT_FOUND" },
    ],
    grantApproval: [{ args: { input: { id: approval } }, outcome: "NOT_FOUND", forPeople: true }],
    denyApproval: [
      { args: { input: { id: approval, comment: "No." } }, outcome: "NOT_FOUND", forPeople: true },
    ],
    revokeApproval: [
      { args: { input: { id: approval, reason: "No." } }, outcome: "NOT_FOUND", forPeople: true },
    ],
    requestAccess: [
      {
        args: {
          input: {
            ...{ requestText: JSON.stringify(CALL), evaluationUuid: ids.decision },
            expiresAt: FAR,
          },
        },
        outcome: "INVALID_DENIAL_BINDING",
      },
    ],
    cancelApproval: [{ args: { input: { id: approval } }, outcome: "NOT_FOUND" }],
    explainDecision: [{ args: { id: toGlobalId("Decision", ids.decision) }, outcome: "NOT_FOUND" }],
    simulatePolicies: [
      {
        args: { changes: { removed: [] }, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
        outcome: "own",
      },
    ],
    testPolicies: [
      { args: { requestText: JSON.stringify({ ...CALL, subject }) }, outcome: "own" },
      {
        args: { requestText: JSON.stringify(CALL), agentId: toGlobalId("Agent", ids.agent) },
        outcome: "NOT_FOUND",
      },
    ],
    checkGatewayBatch: [
      {
        args: {
          input: {
            requestText: JSON.stringify({ ...CALL, subject, evaluations: [{}, { resource: subject }] }),
          },
        },
        outcome: "own",
      },
    ],
    searchGateway: [
      {
        args: { of: "SUBJECT", requestText: JSON.stringify({ ...CALL, subject: { type: "agent" } }) },
        outcome: "own",
      },
      {
        args: {
          of: "RESOURCE",
          requestText: JSON.stringify({ ...CALL, subject, resource: { type: "user" } }),
        },
        outcome: "own",
      },
      {
        args: { of: "ACTION", requestText: JSON.stringify({ subject, resource: subject }) },
        outcome: "own",
      },
    ],
    ...executionCalls(other),
    checkGateway: [
      check({}, "own"),
      check({ subject }, "own"),
      check({ resource: subject }, "own"),
      check({ context: { task_id: ids.task } }, "VALIDATION_FAILED"),
      check({ context: { approval: { id: ids.approval } } }, "NOT_FOUND"),
    ],
  };
}

/** Calls of all routes of the gateway with another workspace's ids. */
export function gatewayRoutes(other: PopulatedWorkspace): Record<string, RouteCall[]> {
  const { ids, word } = other;
  const [path, entities] = ["/api/v1/gateway/check", "/api/v1/gateway/entities"];
  const subject = { type: "agent", id: ids.agent };
  const call = (request: object, status: number): RouteCall => ({
    ...{ path, status },
    body: { request: { ...CALL, ...request } },
  });
  const [own, any] = [
    `/api/v1/gateway/approvals/${ids.approval}`,
    `/api/v1/operator/approvals/${ids.approval}`,
  ];
  const decide = (verb: string, body: object): RouteCall[] => [{ path: `${any}/${verb}`, status: 403, body }];
  return {
    ...executionRoutes(other),
    "GET /api/v1/gateway/approvals/:id": [{ path: own, status: 404 }],
    "POST /api/v1/gateway/approvals/:id/cancel": [{ path: `${own}/cancel`, status: 404 }],
    "GET /api/v1/operator/approvals": [
      { path: "/api/v1/operator/approvals", status: 200 },
      { path: `/api/v1/operator/approvals?agent_id=${ids.agent}`, status: 200 },
    ],
    "GET /api/v1/operator/approvals/:id": [{ path: any, status: 404 }],
    "POST /api/v1/operator/approvals/:id/approve": decide("approve", {}),
    "POST /api/v1/operator/approvals/:id/deny": decide("deny", { comment: "No." }),
    "POST /api/v1/operator/approvals/:id/revoke": decide("revoke", { reason: "No." }),
    "POST /api/v1/gateway/check": [
      call({}, 200),
      call({ subject }, 200),
      call({ resource: subject }, 200),
      call({ context: { task_id: ids.task } }, 422),
      call({ context: { approval: { id: ids.approval } } }, 404),
    ],
    "GET /api/v1/operator/decisions": [
      { path: "/api/v1/operator/decisions", status: 200 },
      { path: `/api/v1/operator/decisions?agent_id=${ids.agent}`, status: 200 },
    ],
    "GET /api/v1/operator/decisions/:id/explain": [
      { path: `/api/v1/operator/decisions/${ids.decision}/explain`, status: 404 },
    ],
    ...authzenRoutes(ids),
    ...a2aRoutes({ ids }),
    ...mcpRoutes({ ids, word }),
    "POST /hooks/pre-tool-use": [{ path: "/hooks/pre-tool-use?timeout=0", body: toolUse("x"), status: 200 }],
    "POST /hooks/post-tool-use": [
      {
        path: "/hooks/post-tool-use",
        body: { hook_event_name: "PostToolUse", session_id: ids.execution, tool_use_id: ids.execution },
        status: 200,
      },
    ],
    "GET /api/v1/gateway/entities": [{ path: entities, status: 200 }],
    "GET /api/v1/gateway/entities/:type/:id": [{ path: `${entities}/user/${word}`, status: 404 }],
    "PUT /api/v1/gateway/entities/:type/:id": [
      { path: `${entities}/user/${word}`, body: { properties: {} }, status: 200 },
    ],
    "DELETE /api/v1/gateway/entities/:type/:id": [{ path: `${entities}/user/no%20${word}`, status: 404 }],
  };
}

/** Calls of AuthZEN's routes. */
function authzenRoutes(ids: PopulatedWorkspace["ids"]): Record<string, RouteCall[]> {
  const base = "/access/v1";
  const asked = { ...CALL, subject: { type: "agent", id: ids.agent } };
  const post = (path: string, body: object, status = 200): RouteCall => ({
    ...{ path: `${base}/${path}`, body, status },
  });
  return {
    "GET /.well-known/authzen-configuration": [{ path: "/.well-known/authzen-configuration", status: 200 }],
    [`POST ${base}/evaluation`]: [
      post("evaluation", asked),
      post("evaluation", { ...asked, context: { task_id: ids.task } }, 400),
      post("evaluation", { ...asked, context: { approval: { id: ids.approval } } }),
    ],
    [`POST ${base}/requests`]: [
      post("requests", { ...asked, denial: { evaluation_id: ids.decision, expires_at: FAR } }, 400),
    ],
    [`GET ${base}/requests/:id`]: [{ path: `${base}/requests/${ids.approval}`, status: 404 }],
    [`POST ${base}/requests/:id/cancel`]: [post(`requests/${ids.approval}/cancel`, {}, 404)],
    [`POST ${base}/evaluations`]: [post("evaluations", { ...asked, evaluations: [{}] })],
    [`POST ${base}/search/subject`]: [post("search/subject", asked)],
    [`POST ${base}/search/resource`]: [post("search/resource", { ...asked, resource: { type: "user" } })],
    [`POST ${base}/search/action`]: [post("search/action", asked)],
  };
}
