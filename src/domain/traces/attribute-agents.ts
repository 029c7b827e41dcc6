import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import { hasScope } from "../kernel/has-scope.ts";
import type { TelemetrySpan } from "./telemetry.ts";

type Named = Pick<TelemetrySpan, "agent">;

/** The most agents that the spans of one request can be attributed to, besides the sender. */
const MOST_AGENTS = 1000;

/**
 * Finds the agents of spans by the ids and handles that they name. Only senders with `agents:write` act for others.
 *
 * @returns the agent's id for a span.
 */
export async function attributeAgents(
  ctx: Ctx,
  spans: readonly Named[],
  senderId: string,
): Promise<(span: Named) => string> {
  const named = new Set(spans.flatMap(({ agent }) => (agent === null ? [] : [agent])));
  if (named.size === 0 || !hasScope(ctx, "agents:write")) return () => senderId;
  const names = [...named].slice(0, MOST_AGENTS);
  const found = await ctx.read(AGENTS, [ctx.workspaceId, names]);
  const ids = new Map(found.flatMap(({ id, handle }) => [[id, id] as const, [handle, id] as const]));
  return ({ agent }) => ids.get(agent ?? "") ?? senderId;
}

const AGENTS = sql<{ id: string; handle: string }>`
SELECT id, handle FROM agent WHERE workspace_id = $1::uuid
  AND (handle = ANY($2::text[]) OR id IN (
    SELECT name::uuid FROM unnest($2::text[]) name WHERE name ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'))`;
