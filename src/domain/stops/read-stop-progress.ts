import { share, sql } from "../../db/sql.ts";
import { z } from "zod";
import type { AgentKind } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type StopState, STOPPED_AGENTS } from "./stop-state.ts";

/** `first`: how many outstanding agents to return. */
const shape = z.object({ first: wholeNumber(LIMITS.shownOutstanding).nullish() });

/** An agent that has not confirmed the emergency stop. */
export type OutstandingAgent = {
  id: string;
  kind: AgentKind;
  state: Exclude<StopState, "confirmed">;
  lastSeenAt: Date | null;
};

/** How many agents have confirmed an emergency stop. */
export type StopProgress = {
  agents: Record<"total" | StopState, number>;
  /** Robots first, then unreachable agents, then by name. */
  outstanding: OutstandingAgent[];
};

/**
 * Reads the progress of the active emergency stop in one statement. Concurrent callers share it. Agents
 * that have yet to be sent the command count as pending or unreachable. Leaves out archived agents and
 * agents created since the stop, which get no work.
 *
 * @throws {DomainError} insufficient_scope without `agents:read`; validation_failed.
 */
export async function readStopProgress(ctx: Ctx, input: z.input<typeof shape>): Promise<StopProgress> {
  requireScope(ctx, "agents:read");
  const { first } = parseInput(shape, input);
  const [row] = await ctx.read(PROGRESS, [ctx.workspaceId, null]);
  if (row === undefined) throw new Error("an aggregate returned no row");
  const { outstanding, ...agents } = row;
  const shown = outstanding.slice(0, first ?? LIMITS.shownOutstanding.default);
  return { agents, outstanding: shown.map(parseLastSeen) };
}

type Row = StopProgress["agents"] & {
  outstanding: (Omit<OutstandingAgent, "lastSeenAt"> & { lastSeenAt: string | null })[];
};

function parseLastSeen({ lastSeenAt, ...agent }: Row["outstanding"][number]): OutstandingAgent {
  return { ...agent, lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt) };
}

const PROGRESS = share(sql<Row>`
WITH stopped AS MATERIALIZED (${STOPPED_AGENTS})
SELECT count(*)::int AS total, count(*) FILTER (WHERE state = 'confirmed')::int AS confirmed,
  count(*) FILTER (WHERE state = 'pending')::int AS pending,
  count(*) FILTER (WHERE state = 'unreachable')::int AS unreachable,
  (SELECT COALESCE(json_agg(rows), '[]') FROM (
    SELECT id, kind, state, last_seen_at AS "lastSeenAt" FROM stopped WHERE state <> 'confirmed'
    ORDER BY kind DESC, state DESC, name, id LIMIT ${LIMITS.shownOutstanding.max}
  ) rows) AS outstanding
FROM stopped`);
