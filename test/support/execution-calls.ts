import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

const CALL = { action: { name: "tools/call" }, resource: { type: "tool", id: "x.y" } };
const requestText = JSON.stringify(CALL);

/** Calls of all GraphQL fields of executions with another workspace's ids. */
export function executionCalls({ ids }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const id = toGlobalId("Execution", ids.execution);
  const refused = (input: object): FieldCall[] => [{ args: { input }, outcome: "NOT_FOUND" }];
  const start = (request: object, outcome: string): FieldCall => ({
    args: { input: { decisionUuid: ids.decision, requestText: JSON.stringify({ ...CALL, ...request }) } },
    outcome,
  });
  return {
    executions: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0, filter: { status: "STARTED" } }, outcome: "own" },
      { args: { filter: { agentId: toGlobalId("Agent", ids.agent) } }, outcome: "own" },
      { args: { filter: { approvalId: toGlobalId("Approval", ids.approval) } }, outcome: "own" },
      { args: { filter: { decisionUuid: ids.decision } }, outcome: "own" },
    ],
    execution: [{ args: { id }, outcome: "NOT_FOUND" }],
    redeemApproval: refused({ approvalId: toGlobalId("Approval", ids.approval), requestText }),
    startExecution: [
      start({}, "POLICY_DENIED"),
      start({ subject: { type: "agent", id: ids.agent } }, "POLICY_DENIED"),
      start({ context: { task_id: ids.task } }, "VALIDATION_FAILED"),
    ],
    heartbeatExecution: refused({ id, fence: 1 }),
    completeExecution: refused({ id, fence: 1 }),
    // Keys are an agent's own: it has none of this name.
    endSessionExecution: [{ args: { input: { sessionKey: "session use" } }, outcome: "own" }],
    failExecution: refused({ id, fence: 1, error: { message: "x" }, effect: "NONE" }),
    resolveExecution: [
      {
        ...{ args: { input: { id, outcome: "COMPLETED", reason: "x" } }, outcome: "NOT_FOUND" },
        forPeople: true,
      },
    ],
  };
}

/** Calls of all routes of executions with another workspace's ids. */
export function executionRoutes({ ids }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const start = "/api/v1/gateway/executions";
  const path = `${start}/${ids.execution}`;
  const holder = { fence: 1 };
  const failure = { ...holder, error: { message: "x" }, effect: "none" };
  const operator = `/api/v1/operator/executions/${ids.execution}`;
  return {
    "POST /api/v1/gateway/executions": [
      { path: start, body: { approval_id: ids.approval, request: CALL }, status: 404 },
      { path: start, body: { decision_id: ids.decision, request: CALL }, status: 403 },
    ],
    "GET /api/v1/gateway/executions": [{ path: start, status: 200 }],
    "GET /api/v1/gateway/executions/:id": [{ path, status: 404 }],
    "POST /api/v1/gateway/executions/:id/heartbeat": [
      { path: `${path}/heartbeat`, body: holder, status: 404 },
    ],
    "POST /api/v1/gateway/executions/:id/complete": [{ path: `${path}/complete`, body: holder, status: 404 }],
    "POST /api/v1/gateway/executions/:id/fail": [{ path: `${path}/fail`, body: failure, status: 404 }],
    "GET /api/v1/operator/executions": [
      { path: `/api/v1/operator/executions?agent_id=${ids.agent}`, status: 200 },
    ],
    "GET /api/v1/operator/executions/:id": [{ path: operator, status: 404 }],
    "POST /api/v1/operator/executions/:id/resolve": [
      { path: `${operator}/resolve`, body: { outcome: "completed", reason: "x" }, status: 403 },
    ],
  };
}
