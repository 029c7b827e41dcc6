import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** A selection of each field of missions, and the scope that it needs. */
export function missionUses({
  ids,
}: PopulatedWorkspace): Record<string, { scope: Scope | null; selection: string }[]> {
  const id = `id: "${toGlobalId("Mission", ids.mission)}"`;
  const steps = '[{ key: "a", type: WAIT }]';
  return {
    mission: [
      { scope: "missions:read", selection: `mission(${id}) { steps { key } dispatch { attempts } }` },
    ],
    createMission: [
      {
        scope: "missions:write",
        selection: `createMission(input: { title: "x", kind: CUSTOM, steps: ${steps} }) { mission { uuid steps { key } } }`,
      },
    ],
    cancelMission: [
      { scope: "missions:write", selection: `cancelMission(input: { ${id} }) { mission { status } }` },
    ],
    // Only a mission that is under way can be steered: test/domain/missions/ holds the scope.
    pauseMission: [],
    resumeMission: [],
    retryMissionStep: [],
    skipMissionStep: [],
    // Only the robot that a mission is assigned to is let pass: test/domain/missions/ holds the scope.
    reportMissionProgress: [],
  };
}
