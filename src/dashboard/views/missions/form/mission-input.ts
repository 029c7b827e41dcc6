import { toGlobalId } from "../../../data/global-id.ts";
import type { UserProblem } from "../../../data/problem.ts";
import { parseLabels } from "../../../data/parse-labels.ts";
import { MISSION_KINDS } from "../mission-states.ts";
import type { ShownMission } from "../page/mission-query.ts";
import { EMPTY_STEP, type TypedStep, proposeKey, readParams, toTypedStep } from "./step-types.ts";

/** Entered values. "" means not set. */
export type TypedMission = Readonly<
  Record<"title" | "kind" | "robot" | "fleet" | "labels" | "minBattery" | "priority", string> & {
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
  priority: "5",
  steps: [EMPTY_STEP],
};

/** What a mission can be made from again. */
export type EarlierMission = Pick<
  ShownMission,
  "title" | "kind" | "minBatteryPercent" | "priority" | "selector"
> & {
  steps: readonly Pick<ShownMission["steps"][number], "key" | "type" | "params">[];
};

/** The form, filled in as an earlier mission was. The robot is chosen anew. */
export function toTypedMission({
  title,
  kind,
  minBatteryPercent,
  priority,
  selector,
  steps,
}: EarlierMission): TypedMission {
  const { fleet = "", labels = {} } = readSelector(selector);
  return {
    ...EMPTY_MISSION,
    ...{ title, kind, fleet },
    labels: Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join(", "),
    minBattery: minBatteryPercent === null ? "" : String(minBatteryPercent),
    priority: String(priority),
    steps: steps.map((step, place) => toTypedStep(place + 1, step)),
  };
}

/** Parses the form: the input of createMission, or why it is invalid. */
export function toMissionInput(typed: TypedMission) {
  const fields: Record<string, string> = {};
  const labels = parseLabels(typed.labels);
  if (labels === null) fields["selector.labels"] = "Enter labels as name=value, separated by commas.";
  const steps = toSteps(typed.steps, fields);
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
      ...(typed.priority !== "" && { priority: Number(typed.priority) }),
      ...(typed.minBattery !== "" && { minBatteryPercent: Number(typed.minBattery) }),
    },
  };
}

/** @param fields gets what is wrong. */
function toSteps(typed: readonly TypedStep[], fields: Record<string, string>) {
  const taken = new Set(typed.map(({ key }) => key.trim()).filter((key) => key !== ""));
  return typed.map((step, place) => {
    const key = step.key.trim() === "" ? proposeKey(step, taken) : step.key.trim();
    taken.add(key);
    const read = readParams(step);
    if ("problem" in read) fields[`steps.${place}.${read.field}`] = read.problem;
    return { key, type: step.type, ...("params" in read && { params: read.params }) };
  });
}

function toTarget({ robot, fleet }: TypedMission, labels: Record<string, string>) {
  if (robot !== "") return { robotId: toGlobalId("Robot", robot) };
  const hasLabels = Object.keys(labels).length > 0;
  if (fleet.trim() === "" && !hasLabels) return {};
  return { selector: { ...(fleet.trim() !== "" && { fleet: fleet.trim() }), ...(hasLabels && { labels }) } };
}

function readSelector(selector: unknown): { fleet?: string; labels?: Record<string, string> } {
  const read: Record<string, unknown> =
    typeof selector === "object" && selector !== null ? { ...selector } : {};
  const { fleet, labels } = read;
  return {
    ...(typeof fleet === "string" && { fleet }),
    ...(typeof labels === "object" && labels !== null && { labels: { ...labels } }),
  };
}
