import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, CallOutcome, RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of all GraphQL fields of work and supervision with another workspace's ids. */
export function supervisionCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const [task, agent] = [toGlobalId("Task", ids.task), toGlobalId("Agent", ids.agent)];
  const reason = "x";
  const held = (rest: object = {}): FieldCall[] => [
    { args: { input: { id: task, leaseToken: "x", ...rest } }, outcome: "NOT_FOUND" },
  ];
  const byPeople = (input: object, outcome: CallOutcome): FieldCall[] => [
    { args: { input }, outcome, forPeople: true },
  ];
  const robot = toGlobalId("Robot", ids.robot);
  return {
    robot: [{ args: { id: robot }, outcome: "NOT_FOUND" }],
    // The callers are not robots, whatever they send.
    reportRobotState: [
      { args: { input: { stateSeq: 1, operatingMode: "AUTOMATIC" } }, outcome: "NOT_A_ROBOT" },
    ],
    reportVdaState: [{ args: { input: { state: { version: "3.0.0" } } }, outcome: "VALIDATION_FAILED" }],
    updateRobot: byPeople({ id: robot, fleet: "x" }, "NOT_FOUND"),
    agent: [{ args: { id: agent }, outcome: "NOT_FOUND" }],
    createAgent: [{ args: { input: { handle: `handle-of-${word}` } }, outcome: "own" }],
    renameAgent: byPeople({ id: agent, name: "x" }, "NOT_FOUND"),
    setAgentCapture: byPeople({ id: agent, captureContent: "OFF" }, "NOT_FOUND"),
    setAgentLabels: byPeople({ id: agent, labels: { team: "x" } }, "NOT_FOUND"),
    archiveAgent: byPeople({ id: agent }, "NOT_FOUND"),
    setAgentControlState: byPeople({ id: agent, controlState: "STOPPED", reason }, "NOT_FOUND"),
    emergencyStop: byPeople({ reason }, "own"),
    stops: [{ args: {}, outcome: "own" }],
    resumeAgents: byPeople(
      { id: toGlobalId("Stop", ids.stop), agents: { ids: [agent] }, reason },
      "NOT_FOUND",
    ),
    releaseStop: byPeople({ id: toGlobalId("Stop", ids.stop), reason }, "NOT_FOUND"),
    releaseEmergencyStop: byPeople({ reason }, "own"),
    updateOwnAgent: [{ args: { input: { name: "x" } }, outcome: "own" }],
    heartbeatAgent: [{ args: { input: {} }, outcome: "own" }],
    claimTask: [{ args: { input: {} }, outcome: "own" }],
    heartbeatTask: held({ progress: 0.5 }),
    completeTask: held({ output: {} }),
    failTask: held({ error: { message: "x" } }),
    rejectTask: [...held(), { args: { input: { id: task } }, outcome: "NOT_FOUND" }],
    releaseTask: held(),
    acknowledgeTaskCancel: held(),
    cancelTask: [{ args: { input: { id: task } }, outcome: "NOT_FOUND" }],
  };
}

/** Calls of all routes of work and supervision with another workspace's ids. */
export function supervisionRoutes({ ids, word }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const task = `/api/v1/tasks/${ids.task}`;
  const ofTask = (act: string, rest: object = {}): RouteCall[] => [
    { path: `${task}/${act}`, body: { lease_token: "x", ...rest }, status: 404 },
  ];
  const forPeople = (path: string, body: object): RouteCall[] => [{ path, body, status: 403 }];
  const reason = "x";
  return {
    "GET /api/v1/agents": [
      { path: "/api/v1/agents", status: 200 },
      { path: `/api/v1/agents?label=word=${word}`, status: 200 },
    ],
    "GET /api/v1/agents/:id": [{ path: `/api/v1/agents/${ids.agent}`, status: 404 }],
    "PUT /api/v1/agents/self": [{ path: "/api/v1/agents/self", body: { id: ids.agent }, status: 422 }],
    "POST /api/v1/agents/self/heartbeat": [{ path: "/api/v1/agents/self/heartbeat", body: {}, status: 200 }],
    "POST /api/v1/operator/agents/:id/control": forPeople(`/api/v1/operator/agents/${ids.agent}/control`, {
      control_state: "stopped",
    }),
    "PUT /api/v1/operator/agents/:id/labels": forPeople(`/api/v1/operator/agents/${ids.agent}/labels`, {
      labels: { team: "x" },
    }),
    "GET /api/v1/operator/emergency_stop": [{ path: "/api/v1/operator/emergency_stop", status: 200 }],
    "GET /api/v1/operator/stops": [{ path: "/api/v1/operator/stops", status: 200 }],
    "POST /api/v1/operator/stops/:id/resume": forPeople(`/api/v1/operator/stops/${ids.stop}/resume`, {
      agents: { percent: 100 },
      reason,
    }),
    "POST /api/v1/operator/stops/:id/release": forPeople(`/api/v1/operator/stops/${ids.stop}/release`, {
      reason,
    }),
    "POST /api/v1/operator/emergency_stop": forPeople("/api/v1/operator/emergency_stop", { reason }),
    "POST /api/v1/operator/emergency_stop/release": forPeople("/api/v1/operator/emergency_stop/release", {
      reason,
    }),
    "GET /api/v1/robots/:id": [{ path: `/api/v1/robots/${ids.robot}`, status: 404 }],
    "PUT /api/v1/robots/self/state": [
      {
        path: "/api/v1/robots/self/state",
        body: { id: ids.robot, state_seq: 1, operating_mode: "automatic" },
        status: 422,
      },
    ],
    "POST /api/v1/robots/self/vda5050/state": [
      { path: "/api/v1/robots/self/vda5050/state", body: { robotId: ids.robot }, status: 422 },
    ],
    "POST /api/v1/tasks/claim": [{ path: "/api/v1/tasks/claim", body: { queues: [word] }, status: 204 }],
    "POST /api/v1/tasks/:id/heartbeat": ofTask("heartbeat", { progress: 1 }),
    "POST /api/v1/tasks/:id/complete": ofTask("complete", { output: 1 }),
    "POST /api/v1/tasks/:id/fail": ofTask("fail", { error: { message: "x" } }),
    "POST /api/v1/tasks/:id/reject": ofTask("reject"),
    "POST /api/v1/tasks/:id/release": ofTask("release"),
    "POST /api/v1/tasks/:id/cancel_ack": ofTask("cancel_ack"),
    "POST /api/v1/tasks/:id/cancel": [{ path: `${task}/cancel`, body: {}, status: 404 }],
  };
}
