/** What a person must at least be to do what a scope names; null where only an agent can do it. */
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
  "events:read": "viewer",
  "tokens:introspect": "admin",
} as const satisfies Record<string, Role | null>;

/** What an agent's credential may do, as `<what>:<how>`. */
export type Scope = keyof typeof LEAST_ROLE;

/** Every scope that exists. */
export const SCOPES = Object.keys(LEAST_ROLE) as readonly Scope[];

/** What a person is in a workspace, from most to least. */
export const ROLES = ["owner", "admin", "operator", "viewer"] as const;

/** One of {@link ROLES}. */
export type Role = (typeof ROLES)[number];

/** Whether a text names a scope that exists. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(LEAST_ROLE, text);
}

/** Whether a role is at least another. */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(least);
}

/** Whether a person of this role may do what a scope names. */
export function hasRoleScope(role: Role, scope: Scope): boolean {
  const least = LEAST_ROLE[scope];
  return least !== null && isAtLeast(role, least);
}
