import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { mcpServerUses } from "./mcp-server-calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

const REQUEST = JSON.stringify({ action: { name: "tools/call" }, resource: { type: "tool", id: "x.y" } });

const BATCH = '{"evaluations":[{}]}';
const EXECUTIONS = [
  ...["execution", "executions", "redeemApproval", "startExecution", "heartbeatExecution"],
  ...["completeExecution", "failExecution"],
];

/** A selection of each field of the gateway, and the scope it requires. */
export function gatewayUses(
  workspace: PopulatedWorkspace,
): Record<string, { scope: Scope | null; selection: string }[]> {
  const { ids, word } = workspace;
  const read = (selection: string) => [{ scope: "gateway:read" as const, selection }];
  const rule = '{ name: "x", effect: DENY, actions: ["*"] }';
  return {
    ...mcpServerUses(workspace),
    policies: read("policies { totalCount }"),
    policy: read(`policy(id: "${toGlobalId("Policy", ids.policy)}") { uuid }`),
    policyFile: read("policyFile { count }"),
    policyVersions: read(`policyVersions(id: "${toGlobalId("Policy", ids.policy)}") { generation }`),
    validatePolicy: read(`validatePolicy(rule: ${rule}) { errors { message } }`),
    // Either of two scopes will do: they are tested in test/gateway/gateway-entities.test.ts.
    gatewayEntities: [],
    gatewayEntity: [],
    saveGatewayEntity: [
      {
        scope: "gateway:delegate",
        selection:
          'saveGatewayEntity(input: { type: "user", entityId: "x", properties: {} }) { entity { uuid } }',
      },
    ],
    deleteGatewayEntity: [
      {
        scope: "gateway:delegate",
        selection: `deleteGatewayEntity(input: { type: "user", entityId: "${word}" }) { entity { uuid } }`,
      },
    ],
    decisions: read("decisions { totalCount }"),
    decision: read(`decision(id: "${toGlobalId("Decision", ids.decision)}") { uuid }`),
    approvals: read("approvals { totalCount }"),
    // Either of two scopes will do, and only the agent that asked may cancel or go on: the scopes are tested in
    // test/domain/approvals/ and test/compat/authzen/.
    ...{ approval: [], cancelApproval: [], requestAccess: [] },
    explainDecision: read(`explainDecision(id: "${toGlobalId("Decision", ids.decision)}") { outcome }`),
    simulatePolicies: read(
      'simulatePolicies(changes: {}, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z") { considered }',
    ),
    testPolicies: read(
      `testPolicies(requestText: ${JSON.stringify(REQUEST)}, agentId: "${toGlobalId("Agent", ids.agent)}") { outcome }`,
    ),
    checkGatewayBatch: [
      {
        scope: "gateway:check",
        selection: `checkGatewayBatch(input: { requestText: ${JSON.stringify(BATCH)} }) { checks { error { code } } }`,
      },
    ],
    // It requires other scopes too: they are tested in test/compat/authzen/wire.test.ts.
    searchGateway: [],
    // Only an execution's agent may do this, and either of two scopes will do for reading: the scopes are tested in
    // test/domain/executions/.
    ...Object.fromEntries(EXECUTIONS.map((name) => [name, []])),
    endSessionExecution: [
      {
        scope: "gateway:check",
        selection: 'endSessionExecution(input: { sessionKey: "x" }) { execution { uuid } }',
      },
    ],
    checkGateway: [
      {
        scope: "gateway:check",
        selection: `checkGateway(input: { requestText: ${JSON.stringify(REQUEST)} }) { check { allowed } }`,
      },
    ],
  };
}
