import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { parseLabels } from "../../commands/form/parse-labels.ts";
import { parseJson } from "../../commands/form/parse-json.ts";
import { MISSION_KINDS } from "../mission-states.ts";

export const STEP_TYPES = ["MOVE", "ACTION", "WAIT", "CUSTOM"] as const;

/** An entered step. `id` identifies its row. */
export type TypedStep = { id: number; key: string; type: string; params: string };

/** Entered values. "" means not set. */
export type TypedMission = Readonly<
  Record<"title" | "kind" | "robot" | "fleet" | "labels" | "minBattery", string> & {
    steps: readonly TypedStep[];
  }
>;

export const EMPTY_MISSION: TypedMission = {
  title: "",
  kind: "TRANSPORT",
  robot: "",
  fleet: "",
  labels: "",
  minBattery: "",
  steps: [{ id: 1, key: "", type: "MOVE", params: "" }],
};

/** Parses the form: the input of createMission, or why it is invalid. */
export function toMissionInput(typed: TypedMission) {
  const fields: Record<string, string> = {};
  const labels = parseLabels(typed.labels);
  if (labels === null) fields["selector.labels"] = "Enter labels as name=value, separated by commas.";
  const steps = typed.steps.map(({ key, type, params }, place) => {
    const read = params.trim() === "" ? null : parseJson(params);
    if (read?.isValid === false) fields[`steps.${place}.params`] = "Enter valid JSON.";
    const named = STEP_TYPES.find((one) => one === type) ?? "CUSTOM";
    return { key: key.trim(), type: named, ...(read?.isValid === true && { params: read.value }) };
  });
  if (Object.keys(fields).length > 0) {
    const problem: UserProblem = { text: "Some fields are invalid.", code: "TYPED", fields };
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
