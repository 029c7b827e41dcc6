import { toGlobalId } from "../../src/schema/global-id.ts";
import type { FieldCall, RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

const STEERING = ["pause", "resume", "cancel", "retry_step", "skip_step"];

/** Calls of all GraphQL fields of missions with another workspace's ids. */
export function missionCalls({ ids, word }: PopulatedWorkspace): Record<string, FieldCall[]> {
  const id = toGlobalId("Mission", ids.mission);
  const robotId = toGlobalId("Robot", ids.robot);
  const fresh = { title: "x", kind: "CUSTOM", steps: [{ key: "a", type: "WAIT" }] };
  const unknown = (input: object = {}): FieldCall[] => [
    { args: { input: { id, ...input } }, outcome: "NOT_FOUND" },
  ];
  const refused = (input: object): FieldCall => ({
    args: { input: { ...fresh, ...input } },
    outcome: "VALIDATION_FAILED",
  });
  return {
    missions: [
      // With all steps, a page of the usual size exceeds the complexity limit.
      { args: { first: 10 }, outcome: "own" },
      { args: { first: 10, offset: 0 }, outcome: "own" },
      { args: { first: 10, filter: { robotId } }, outcome: "own" },
    ],
    mission: [
      { args: { id }, outcome: "NOT_FOUND" },
      { args: { id, currentGeneration: 1, waitSeconds: 1 }, outcome: "NOT_FOUND" },
    ],
    createMission: [
      refused({ robotId }),
      refused({ taskId: toGlobalId("Task", ids.task) }),
      // A policy of the caller may be for missions, so that some robot has to match.
      refused({ selector: { labels: { word } } }),
      { args: { input: { ...fresh, contextId: ids.context } }, outcome: "own" },
    ],
    missionTemplates: [{ args: {}, outcome: "own" }],
    setMissionTemplate: [{ args: { input: { ...fresh, name: word } }, outcome: "own", forPeople: true }],
    deleteMissionTemplate: [{ args: { input: { name: word } }, outcome: "NOT_FOUND", forPeople: true }],
    pauseMission: unknown(),
    resumeMission: unknown(),
    cancelMission: unknown({ force: true }),
    retryMissionStep: unknown({ stepKey: "1" }),
    skipMissionStep: unknown({ stepKey: "1" }),
    reportMissionProgress: unknown({ status: "RUNNING" }),
  };
}

/** Calls of all routes of missions with another workspace's ids. */
export function missionRouteCalls({ ids, word }: PopulatedWorkspace): Record<string, RouteCall[]> {
  const path = "/api/v1/operator/missions";
  const fresh = { title: "x", kind: "custom", steps: [{ key: "a", type: "wait" }] };
  const steering = STEERING.map((act): [string, RouteCall[]] => [
    `POST ${path}/:id/${act}`,
    [
      {
        path: `${path}/${ids.mission}/${act}`,
        body: act.endsWith("_step") ? { step_key: "1" } : {},
        status: 404,
      },
    ],
  ]);
  return {
    ...Object.fromEntries(steering),
    [`GET ${path}`]: [{ path, status: 200 }],
    [`POST ${path}`]: [
      { path, body: { ...fresh, robot_id: ids.robot }, status: 422 },
      { path, body: { ...fresh, task_id: ids.task }, status: 422 },
      { path, body: { ...fresh, selector: { labels: { word } } }, status: 422 },
      { path, body: { ...fresh, context_id: ids.context }, status: 201 },
    ],
    "GET /api/v1/missions/:id": [{ path: `/api/v1/missions/${ids.mission}`, status: 404 }],
    "POST /api/v1/missions/:id/progress": [
      { path: `/api/v1/missions/${ids.mission}/progress`, body: { status: "running" }, status: 404 },
    ],
  };
}
