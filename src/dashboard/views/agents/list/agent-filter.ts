import { toLabelFilter } from "../../../data/parse-labels.ts";

export const AGENT_KINDS = ["SOFTWARE", "ROBOT"] as const;

export const PRESENCES = ["ONLINE", "STALE", "OFFLINE"] as const;

export const CONTROL_STATES = ["ACTIVE", "PAUSED", "STOPPED"] as const;

/** Filters in the URL, with their defaults. */
export const AGENTS_STATE = { q: "", kind: "", presence: "", control: "", labels: "" };

/** Converts the URL's filters to the GraphQL filter. */
export function toAgentFilter({
  q,
  kind,
  presence,
  control,
  labels,
}: Readonly<Record<keyof typeof AGENTS_STATE, string>>) {
  return {
    labels: toLabelFilter(labels),
    search: q.trim() === "" ? null : q.trim(),
    kind: AGENT_KINDS.find((one) => one === kind) ?? null,
    presence: PRESENCES.find((one) => one === presence) ?? null,
    controlState: CONTROL_STATES.find((one) => one === control) ?? null,
  };
}
