import type { Scope } from "../../src/domain/kernel/scopes.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** A selection of each field of missions, and the scope it requires. */
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
    // Only running missions can be steered: the scope is tested in test/domain/missions/.
    pauseMission: [],
    resumeMission: [],
    retryMissionStep: [],
    skipMissionStep: [],
    // Only the mission's robot may do this: the scope is tested in test/domain/missions/.
    reportMissionProgress: [],
  };
}
