import { openCtx, systemCaller } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import { createFairTurns } from "../sweeps/fair-turns.ts";
import { repeat } from "../sweeps/repeat.ts";

const EVERY_MS = 1000;
/** How many workspaces are handled at once, and how long a slow one delays the next run. */
const TURNS = { workers: 2, patienceMs: 200 };

/**
 * Appends the events `decision.denied` of this node: at most one a second for an agent and a policy, with the number
 * of denials and the last decision.
 */
export function startDenialEvents(services: Services): { stop: () => Promise<void> } {
  const turns = createFairTurns(TURNS);
  async function run(): Promise<boolean> {
    const works = services.decisions.denials
      .workspaces()
      .map((lane) => ({ name: "denials", lane, run: () => appendDenials(services, lane) }));
    const failures = await turns.take(works);
    if (failures.length > 0)
      throw new AggregateError(failures, "denials of some workspaces have no event yet");
    return false;
  }
  const repeated = repeat(services, {
    name: "denial_events",
    everyMs: EVERY_MS,
    run,
    failure: "denials have no events",
  });
  return {
    stop: async () => {
      await repeated.stop();
      await run().catch((error: unknown) => services.log.warn({ err: error }, "denials have no events"));
      await turns.settle();
    },
  };
}

/** @returns whether the workspace has more. */
async function appendDenials(services: Services, workspaceId: string): Promise<boolean> {
  const { denials } = services.decisions;
  const taken = denials.take(workspaceId);
  try {
    await openCtx(services, systemCaller(workspaceId, "gateway")).transaction(async (tx) => {
      append(tx, {
        events: taken.map(({ agentId, decisionId, policyId, reason, count }) => ({
          type: "decision.denied",
          subjectType: "decision",
          subjectId: decisionId,
          agentId,
          data: { policyId, reason, count },
        })),
      });
    });
  } catch (error) {
    denials.restore(workspaceId, taken);
    throw error;
  }
  return false;
}
