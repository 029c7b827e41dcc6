import { z } from "zod";
import { share, sql } from "../../db/sql.ts";
import type { AgentKind } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type StopState, STOPPED_AGENTS } from "./stop-state.ts";

/** An agent that has not confirmed a stop. */
export type OutstandingAgent = {
  id: string;
  kind: AgentKind;
  state: Exclude<StopState, "confirmed">;
  lastSeenAt: Date | null;
};

/** How many agents have confirmed a stop. Those that were resumed are not counted. */
export type StopProgress = {
  agents: Record<"total" | StopState, number>;
  /** Robots first, then unreachable agents, then by name. At most 100. */
  outstanding: OutstandingAgent[];
};

/**
 * Reads the progress of stops that stand, by their ids, in one statement. Concurrent callers share it. Agents that
 * have yet to be sent the command count as pending or unreachable. Leaves out archived agents and agents created
 * since the stop, which get no work. A stop that was released has no entry.
 *
 * @throws {DomainError} insufficient_scope without `agents:read`.
 */
export async function readStopProgress(
  ctx: Ctx,
  stopIds: readonly string[],
): Promise<Map<string, StopProgress>> {
  requireScope(ctx, "agents:read");
  const rows = await ctx.read(PROGRESS, [ctx.workspaceId, null, stopIds]);
  return new Map(
    rows.map(({ id, outstanding, ...agents }) => [
      id,
      { agents, outstanding: outstanding.map(parseLastSeen) },
    ]),
  );
}

/** `first`: how many outstanding agents to return. */
const shape = z.object({ first: wholeNumber(LIMITS.shownOutstanding).nullish() });

/** Returns the first of the outstanding agents. @throws {DomainError} validation_failed. */
export function pickOutstanding(
  { outstanding }: StopProgress,
  input: z.input<typeof shape>,
): OutstandingAgent[] {
  const { first } = parseInput(shape, input);
  return outstanding.slice(0, first ?? LIMITS.shownOutstanding.default);
}

type Row = StopProgress["agents"] & {
  id: string;
  outstanding: (Omit<OutstandingAgent, "lastSeenAt"> & { lastSeenAt: string | null })[];
};

function parseLastSeen({ lastSeenAt, ...agent }: Row["outstanding"][number]): OutstandingAgent {
  return { ...agent, lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt) };
}

const PROGRESS = share(sql<Row>`
WITH stopped AS MATERIALIZED (${STOPPED_AGENTS}), outstanding AS (
  SELECT stop_id, id, kind, state, last_seen_at AS "lastSeenAt",
    row_number() OVER (PARTITION BY stop_id ORDER BY kind DESC, state DESC, name, id) AS place
  FROM stopped WHERE state <> 'confirmed'
)
SELECT s.id, count(stopped.id)::int AS total, count(*) FILTER (WHERE state = 'confirmed')::int AS confirmed,
  count(*) FILTER (WHERE state = 'pending')::int AS pending,
  count(*) FILTER (WHERE state = 'unreachable')::int AS unreachable,
  (SELECT COALESCE(json_agg(json_build_object('id', o.id, 'kind', o.kind, 'state', o.state, 'lastSeenAt', o."lastSeenAt")
     ORDER BY o.place), '[]')
   FROM outstanding o WHERE o.stop_id = s.id AND o.place <= ${LIMITS.shownOutstanding.max}) AS outstanding
FROM stop s LEFT JOIN stopped ON stopped.stop_id = s.id
WHERE s.workspace_id = $1::uuid AND s.id = ANY ($3::uuid[]) AND s.released_at IS NULL
GROUP BY s.id`);
