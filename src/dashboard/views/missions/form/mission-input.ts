import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { parseLabels } from "../../commands/form/parse-labels.ts";
import { parseJson } from "../../commands/form/parse-json.ts";
import { MISSION_KINDS } from "../mission-states.ts";

/** What is done in a step. */
export const STEP_TYPES = ["MOVE", "ACTION", "WAIT", "CUSTOM"] as const;

/** A step as it is typed; `id` tells rows apart. */
export type TypedStep = { id: number; key: string; type: string; params: string };

/** A mission as it is typed; "" for what is left out. */
export type TypedMission = Readonly<
  Record<"title" | "kind" | "robot" | "fleet" | "labels" | "minBattery", string> & {
    steps: readonly TypedStep[];
  }
>;

/** Nothing typed yet. */
export const EMPTY_MISSION: TypedMission = {
  title: "",
  kind: "TRANSPORT",
  robot: "",
  fleet: "",
  labels: "",
  minBattery: "",
  steps: [{ id: 1, key: "", type: "MOVE", params: "" }],
};

/** Reads what was typed: the input of createMission, or why it can't be one. */
export function toMissionInput(typed: TypedMission) {
  const fields: Record<string, string> = {};
  const labels = parseLabels(typed.labels);
  if (labels === null) fields["selector.labels"] = "Each is a name, = and a value.";
  const steps = typed.steps.map(({ key, type, params }, place) => {
    const read = params.trim() === "" ? null : parseJson(params);
    if (read?.isValid === false) fields[`steps.${place}.params`] = "This is not JSON.";
    const named = STEP_TYPES.find((one) => one === type) ?? "CUSTOM";
    return { key: key.trim(), type: named, ...(read?.isValid === true && { params: read.value }) };
  });
  if (Object.keys(fields).length > 0) {
    const problem: UserProblem = { text: "Something typed can’t be read.", code: "TYPED", fields };
    return { input: null, problem };
  }
  return {
    problem: null,
    input: {
      title: typed.title,
      kind: MISSION_KINDS.find((one) => one === typed.kind) ?? "CUSTOM",
      steps,
      ...toTarget(typed, labels ?? {}),
      ...(typed.minBattery !== "" && { minBatteryPercent: Number(typed.minBattery) }),
    },
  };
}

function toTarget({ robot, fleet }: TypedMission, labels: Record<string, string>) {
  if (robot !== "") return { robotId: toGlobalId("Robot", robot) };
  const hasLabels = Object.keys(labels).length > 0;
  if (fleet.trim() === "" && !hasLabels) return {};
  return { selector: { ...(fleet.trim() !== "" && { fleet: fleet.trim() }), ...(hasLabels && { labels }) } };
}
