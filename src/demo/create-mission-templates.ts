import type { Ctx } from "../domain/kernel/context.ts";
import { setMissionTemplate } from "../domain/mission-templates/set-mission-template.ts";
import type { StationName } from "./roster/stations.ts";

/** Creates the templates that operators start missions from. */
export async function createMissionTemplates(ctx: Ctx): Promise<void> {
  await setMissionTemplate(ctx, {
    ...{ name: "Pallet to staging", title: "Bring a pallet from receiving to staging", kind: "transport" },
    steps: [move("receiving-1"), act("pick", "receiving-1"), move("staging-a"), act("drop", "staging-a")],
    minBatteryPercent: 30,
  });
  await setMissionTemplate(ctx, {
    ...{ name: "Night patrol", title: "Patrol the east gate", kind: "patrol", priority: 3 },
    steps: [move("gate-east"), { key: "look", type: "wait", params: { seconds: 60 } }, move("workshop")],
  });
}

function move(station: StationName) {
  return { key: `to-${station}`, type: "move" as const, params: { station } };
}

function act(action: string, station: StationName) {
  return { key: `${action}-${station}`, type: "action" as const, params: { action, station } };
}
