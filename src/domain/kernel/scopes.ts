/** The least role for each scope; null if only agents can have it. */
const LEAST_ROLE = {
  "agents:read": "viewer",
  "agents:write": "admin",
  "messages:read": "viewer",
  "messages:write": "operator",
  "tasks:read": "viewer",
  "tasks:write": "operator",
  "tasks:work": null,
  "eval_runs:read": "viewer",
  "eval_runs:write": "operator",
  "agent_commands:read": "viewer",
  "agent_commands:ack": null,
  "agent_commands:write": "operator",
  "robots:read": "viewer",
  "robots:report": null,
  "missions:read": "viewer",
  "missions:write": "operator",
  "missions:report": null,
  "traces:read": "viewer",
  "traces:write": null,
  "gateway:check": null,
  "gateway:delegate": null,
  "gateway:read": "viewer",
  "mcp:use": null,
  "mcp:read": "viewer",
  "events:read": "viewer",
  "tokens:introspect": "admin",
} as const satisfies Record<string, Role | null>;

/** The scopes of agents' credentials, as `<what>:<how>`. */
export type Scope = keyof typeof LEAST_ROLE;

export const SCOPES = Object.keys(LEAST_ROLE) as readonly Scope[];

/** The roles in a workspace, from highest to lowest. */
export const ROLES = ["owner", "admin", "operator", "viewer"] as const;

export type Role = (typeof ROLES)[number];

export function isScope(text: string): text is Scope {
  return Object.hasOwn(LEAST_ROLE, text);
}

export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}

/** Whether a role includes a scope. */
export function hasRoleScope(role: Role, scope: Scope): boolean {
  const least = LEAST_ROLE[scope];
  return least !== null && isAtLeast(role, least);
}
