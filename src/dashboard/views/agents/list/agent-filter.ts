/** The kinds of agents. */
export const AGENT_KINDS = ["SOFTWARE", "ROBOT"] as const;

/** Whether an agent is heard of. */
export const PRESENCES = ["ONLINE", "STALE", "OFFLINE"] as const;

/** What an agent may do. */
export const CONTROL_STATES = ["ACTIVE", "PAUSED", "STOPPED"] as const;

/** What the address keeps of the list. */
export const AGENTS_STATE = { q: "", kind: "", presence: "", control: "" };

/** The filter that the address asks for. */
export function toAgentFilter({
  q,
  kind,
  presence,
  control,
}: Readonly<Record<keyof typeof AGENTS_STATE, string>>) {
  return {
    search: q.trim() === "" ? null : q.trim(),
    kind: AGENT_KINDS.find((one) => one === kind) ?? null,
    presence: PRESENCES.find((one) => one === presence) ?? null,
    controlState: CONTROL_STATES.find((one) => one === control) ?? null,
  };
}
