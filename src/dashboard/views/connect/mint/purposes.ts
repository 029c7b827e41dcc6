/** What an agent is connected for, and the scopes that it needs for that. */
export const PURPOSES = [
  {
    name: "tasks",
    label: "Work on tasks and ask people",
    scopes: ["tasks:read", "tasks:write", "tasks:work", "messages:read", "messages:write"],
  },
  {
    name: "gateway",
    label: "Ask before it acts",
    scopes: ["gateway:check", "gateway:read"],
  },
  { name: "tools", label: "Use tools of MCP servers", scopes: ["mcp:use"] },
  { name: "traces", label: "Send traces", scopes: ["traces:write"] },
  {
    name: "commands",
    label: "Be paused, stopped and told what to do",
    scopes: ["agent_commands:read", "agent_commands:ack"],
  },
  { name: "evaluations", label: "Report evaluations", scopes: ["eval_runs:read", "eval_runs:write"] },
] as const;

export type Purpose = (typeof PURPOSES)[number]["name"];

/** What most agents do. */
export const USUAL_PURPOSES: ReadonlySet<Purpose> = new Set([
  ...(["tasks", "gateway", "tools", "traces", "commands"] as const),
]);

/** The scopes for some purposes. */
export function listScopes(chosen: ReadonlySet<Purpose>): string[] {
  return PURPOSES.filter(({ name }) => chosen.has(name)).flatMap(({ scopes }) => scopes);
}
