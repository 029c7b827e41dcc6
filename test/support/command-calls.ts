import { toTraceId } from "../../src/domain/traces/trace-ids.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of all GraphQL fields of agent commands with another workspace's ids. */
export function commandCalls({ ids, word, batchId }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const id = toGlobalId("AgentCommand", ids.agentCommand);
  const agentId = toGlobalId("Agent", ids.agent);
  const issue = (input: object): FieldCall => ({
    args: { input: { type: "agent.restart", ...input } },
    outcome: "VALIDATION_FAILED",
  });
  const filters = { agentId, batchId };
  const mine = { selector: { kind: "SOFTWARE" } };
  return {
    agentCommands: [
      { args: {}, outcome: "own" },
      { args: { first: 50, offset: 0 }, outcome: "own" },
      { args: { filter: filters }, outcome: "own" },
      { args: { filter: { missionId: toGlobalId("Mission", ids.mission) } }, outcome: "own" },
      { args: { filter: { taskId: toGlobalId("Task", ids.task) } }, outcome: "own" },
      { args: { filter: { traceId: toTraceId(ids.trace) } }, outcome: "own" },
      { args: { filter: { before: ids.agentCommand } }, outcome: "VALIDATION_FAILED" },
    ],
    agentCommand: [{ args: { id }, outcome: "NOT_FOUND" }],
    agentCommandBatch: [{ args: { batchId }, outcome: "NOT_FOUND" }],
    issueAgentCommand: [
      issue({ agentId }),
      issue({ selector: { labels: { word } } }),
      issue({ ...mine, taskId: toGlobalId("Task", ids.task) }),
      issue({ ...mine, missionId: toGlobalId("Mission", ids.mission) }),
    ],
    cancelAgentCommand: [{ args: { input: { id } }, outcome: "NOT_FOUND" }],
    nextAgentCommands: [{ args: { input: { redeliver: true } }, outcome: "own" }],
    ackAgentCommand: [{ args: { input: { id, outcome: "ACCEPTED" } }, outcome: "NOT_FOUND" }],
    reportAgentCommandProgress: [{ args: { input: { id } }, outcome: "NOT_FOUND" }],
    reportAgentCommandResult: [{ args: { input: { id, status: "SUCCEEDED" } }, outcome: "NOT_FOUND" }],
  };
}

/** Calls of all routes of agent commands with another workspace's ids. */
export function commandRoutes({ ids, word, batchId }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const commands = "/api/v1/operator/agent_commands";
  const own = `/api/v1/agent_commands/${ids.agentCommand}`;
  const type = "agent.restart";
  const orders = [
    { type, agent_id: ids.agent },
    { type, selector: { labels: { word } } },
    { type, selector: { kind: "software" }, task_id: ids.task },
    { type, selector: { kind: "software" }, mission_id: ids.mission },
  ];
  return {
    "GET /api/v1/operator/agent_commands": [
      { path: commands, status: 200 },
      { path: `${commands}?agent_id=${ids.agent}&batch_id=${batchId}`, status: 200 },
      { path: `${commands}?before=${ids.agentCommand}`, status: 400 },
    ],
    "POST /api/v1/operator/agent_commands": orders.map((body) => ({ path: commands, body, status: 422 })),
    "POST /api/v1/operator/agent_commands/:id/cancel": [
      { path: `${commands}/${ids.agentCommand}/cancel`, body: {}, status: 404 },
    ],
    "GET /api/v1/agent_commands/:id": [{ path: own, status: 404 }],
    "GET /api/v1/agent_commands/next": [{ path: "/api/v1/agent_commands/next?redeliver=true", status: 204 }],
    "POST /api/v1/agent_commands/:id/ack": [
      { path: `${own}/ack`, body: { outcome: "accepted" }, status: 404 },
    ],
    "POST /api/v1/agent_commands/:id/progress": [{ path: `${own}/progress`, body: {}, status: 404 }],
    "POST /api/v1/agent_commands/:id/result": [
      { path: `${own}/result`, body: { status: "succeeded" }, status: 404 },
    ],
  };
}
