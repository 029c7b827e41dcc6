import type { Actor } from "../kernel/actor.ts";
import { type Role, type Scope, isAtLeast, isScope, hasRoleScope } from "../kernel/scopes.ts";

/**
 * The right to see events of each subject type: a scope or, for people only, a role. Events of types that
 * are not listed, such as sessions and credentials, are visible only to admins.
 */
const READERS: Record<string, Scope | Role> = {
  workspace: "events:read",
  agent: "agents:read",
  stop: "agents:read",
  message: "messages:read",
  task: "tasks:read",
  eval_run: "eval_runs:read",
  agent_command: "agent_commands:read",
  robot: "robots:read",
  mission: "missions:read",
  policy: "gateway:read",
  gateway_entity: "gateway:read",
  approval: "gateway:read",
  execution: "gateway:read",
  budget: "gateway:read",
  alert_rule: "events:read",
  floor_plan: "robots:read",
  mission_template: "missions:read",
  trace: "traces:read",
  model_price: "traces:read",
  decision: "gateway:read",
  mcp_server: "mcp:read",
  mcp_tool: "mcp:read",
  mcp_call: "mcp:read",
  user: "viewer",
  group: "viewer",
};

/** The subject types whose events an actor may see; null for all. */
export function listVisibleSubjects(actor: Actor): readonly string[] | null {
  if (actor.type === "system" || (actor.type === "user" && isAtLeast(actor.role, "admin"))) return null;
  return Object.entries(READERS).flatMap(([subject, reader]) => (canRead(actor, reader) ? [subject] : []));
}

function canRead(actor: Actor, reader: Scope | Role): boolean {
  if (!isScope(reader)) return actor.type === "user" && isAtLeast(actor.role, reader);
  if (actor.type === "agent") return actor.scopes.has(reader);
  return actor.type === "user" && hasRoleScope(actor.role, reader);
}
