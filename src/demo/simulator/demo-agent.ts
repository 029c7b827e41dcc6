import type { Actor } from "../../domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../../domain/kernel/context.ts";
import type { Scope } from "../../domain/kernel/scopes.ts";

const SCOPES: ReadonlySet<Scope> = new Set([
  "robots:report",
  "agent_commands:read",
  "agent_commands:ack",
  "missions:report",
  "missions:write",
  "tasks:write",
  "tasks:work",
  "messages:write",
  "gateway:check",
  "mcp:use",
  "traces:write",
]);

/**
 * Creates the context of a demo agent. Its credential does not exist, so it works only in this process.
 *
 * @param now the time of what happened before. Default: now.
 */
export function openDemoAgent(ctx: Ctx, { id, name }: { id: string; name: string }, now?: Date): Ctx {
  const credential = {
    kind: "api_key" as const,
    id,
    parent: { kind: "api_key" as const, id },
    lineageId: id,
    expiresAt: null,
  };
  const actor: Actor = { type: "agent", id, name, scopes: SCOPES, credential };
  return openCtx(ctx.services, { ...ctx, actor }, now);
}
