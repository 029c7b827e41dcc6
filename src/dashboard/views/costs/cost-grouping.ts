import type { Option } from "../../ui/form/select-field.tsx";
import { toFieldTime } from "../../ui/format-local-time.ts";
import { toVisibleText } from "../../ui/to-visible-text.ts";
import type { CostPeriod } from "./cost-period.ts";
import type { CostSum } from "./costs-query.ts";

/** What rows of the table stand for. */
export type Grouping = "agent" | "model" | "task" | "time";

/** The grouping named in the URL. Default: by agent. */
export function parseGrouping(name: string): Grouping {
  return name === "model" || name === "task" || name === "time" ? name : "agent";
}

export function listGroupings({ step }: CostPeriod): readonly Option[] {
  return [
    ["agent", "Agent"],
    ["model", "Model"],
    ["task", "Task"],
    ["time", step === "hour" ? "Hour" : "Day"],
  ];
}

/** The header of the column that says whose sum it is. */
export function toHeader(grouping: Grouping, period: CostPeriod): string {
  return listGroupings(period).find(([name]) => name === grouping)?.[1] ?? "";
}

export const DIMENSIONS = { agent: "AGENT", model: "MODEL", task: "TASK", time: "WORKSPACE" } as const;

/** Whose sum it is, in words. Hours and days are in UTC. */
export function getSumName({ start, agentUuid, agent, taskUuid, taskTitle, model }: CostSum): string {
  if (start !== null) return start.slice(0, 16).replace("T", " ").replace(" 00:00", "");
  if (agentUuid !== null) return agent?.name ?? "Unnamed agent";
  if (taskUuid !== null) return taskTitle === null ? "Deleted task" : toVisibleText(taskTitle);
  return model === null || model === "" ? "Other models" : toVisibleText(model);
}

/** Identifies a sum among those of its grouping. */
export function getSumKey({ start, agentUuid, taskUuid, model }: CostSum): string {
  return start ?? agentUuid ?? taskUuid ?? model ?? "";
}

/** Where one sees what made it: an agent's traces, a task, the traces of an hour or day. Null if nowhere. */
export function getSumHref(sum: CostSum, { stepMs }: CostPeriod, from: number): string | null {
  const { start, agentUuid, taskUuid, taskTitle } = sum;
  if (agentUuid !== null)
    return `/traces?${new URLSearchParams({ agent: agentUuid, from: toFieldTime(from) })}`;
  if (taskUuid !== null) return taskTitle === null ? null : `/tasks/${taskUuid}`;
  if (start === null) return null;
  const at = Date.parse(start);
  return `/traces?${new URLSearchParams({ from: toFieldTime(at), until: toFieldTime(at + stepMs) })}`;
}
