import type { Ctx } from "../domain/context.ts";
import { requireScope } from "../domain/guard.ts";
import type { Scope } from "../domain/scopes.ts";

/** A Map: a caller's `constructor` must not find what every object has. */
const SCOPES = new Map<string, Scope>([
  ["Agent", "agents:read"],
  ["AgentCommand", "agent_commands:read"],
  ["EvalRun", "eval_runs:read"],
  ["Message", "messages:read"],
  ["Mission", "missions:read"],
  ["Robot", "robots:read"],
  ["Task", "tasks:read"],
]);

/**
 * Whether nodes of this type can be read by their id alone.
 *
 * @throws {DomainError} insufficient_scope or forbidden where the caller may not read such a node.
 */
export function nodeScope(ctx: Ctx, typename: string): boolean {
  const scope = SCOPES.get(typename);
  if (scope === undefined) return false;
  requireScope(ctx, scope);
  return true;
}
