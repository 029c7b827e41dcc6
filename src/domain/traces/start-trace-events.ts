import { sql } from "../../db/sql.ts";
import type { TraceStatus } from "../../db/generated/enums.ts";
import { openCtx, systemCaller } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { type EventInput, append } from "../kernel/events.ts";
import { createFairTurns } from "../sweeps/fair-turns.ts";
import { repeat } from "../sweeps/repeat.ts";
import { MOST_NAMED } from "./trace-turns.ts";

const EVERY_MS = 1000;
/** How many workspaces are handled at once, and how long a slow one delays the next run. */
const TURNS = { workers: 2, patienceMs: 200 };
const FAILURE = "traces have no events";

/**
 * Appends the events `trace.updated` of this node, at most once a second for a workspace: one for each trace that began,
 * ended or failed, or one for all of them if they are many.
 */
export function startTraceEvents(services: Services): { stop: () => Promise<void> } {
  const turns = createFairTurns(TURNS);
  async function run(): Promise<boolean> {
    const works = services.traceTurns
      .workspaces()
      .map((lane) => ({ name: "trace events", lane, run: () => appendTurns(services, lane) }));
    const failures = await turns.take(works);
    if (failures.length > 0)
      throw new AggregateError(failures, "traces of some workspaces have no events yet");
    return false;
  }
  const repeated = repeat(services, { name: "trace_events", everyMs: EVERY_MS, run, failure: FAILURE });
  return {
    stop: async () => {
      await repeated.stop();
      await run().catch((error: unknown) => services.log.warn({ err: error }, FAILURE));
      await turns.settle();
    },
  };
}

/** @returns whether the workspace has more. */
async function appendTurns(services: Services, workspaceId: string): Promise<boolean> {
  const ids = services.traceTurns.take(workspaceId);
  try {
    await openCtx(services, systemCaller(workspaceId, "traces")).transaction(async (tx) => {
      const isNamed = ids.length <= MOST_NAMED;
      const traces = isNamed ? await tx.run(TRACES, [workspaceId, ids]) : [];
      const events = isNamed ? traces.map(toEvent) : [createEventOfMany(workspaceId)];
      if (events.length > 0) append(tx, { events });
    });
  } catch (error) {
    services.traceTurns.note(workspaceId, ids);
    throw error;
  }
  return false;
}

type Turned = { id: string; agentId: string; status: TraceStatus; generation: number };

/** Some may have been deleted since. */
const TRACES = sql<Turned>`
SELECT id, agent_id AS "agentId", status, generation FROM trace
WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[]) ORDER BY id`;

function toEvent({ id, agentId, status, generation }: Turned): EventInput {
  return {
    type: "trace.updated",
    subjectType: "trace",
    subjectId: id,
    agentId,
    data: { status, generation },
  };
}

function createEventOfMany(workspaceId: string): EventInput {
  return { type: "trace.updated", subjectType: "workspace", subjectId: workspaceId };
}
