import { sweepAgentCommands } from "../agent-commands/sweep-agent-commands.ts";
import { evaluateAlerts } from "../alerts/evaluate-alerts.ts";
import { sweepApprovals } from "../approvals/sweep-approvals.ts";
import { sweepBudgets } from "../budgets/sweep-budgets.ts";
import type { Services } from "../kernel/context.ts";
import { sweepEvalRuns } from "../eval-runs/sweep-eval-runs.ts";
import { sweepExecutions } from "../executions/sweep-executions.ts";
import { sweepMissions } from "../missions/sweep-missions.ts";
import { sweepRobots } from "../robots/sweep-robots.ts";
import { sweepStops } from "../stops/sweep-stops.ts";
import { sweepTasks } from "../tasks/sweep-tasks.ts";
import { sweepWaitingTasks } from "../tasks/sweep-waiting-tasks.ts";
import { sweepQueuedSpans } from "../traces/sweep-queued-spans.ts";
import type { FairTurns } from "./fair-turns.ts";
import { sweepDeferredAppends } from "./sweep-deferred-appends.ts";

/** Handles the deadlines of one resource. */
type Sweep = (services: Services, now: Date | null, turns?: FairTurns) => Promise<unknown>;

const SWEEPS: readonly Sweep[] = [
  sweepDeferredAppends,
  sweepStops,
  sweepTasks,
  sweepAgentCommands,
  sweepRobots,
  sweepMissions,
  sweepEvalRuns,
  sweepBudgets,
  sweepApprovals,
  sweepWaitingTasks,
  sweepExecutions,
  sweepQueuedSpans,
  evaluateAlerts,
];

/**
 * Handles all deadlines that have passed. Any number of nodes may run it at once. A failure of one resource
 * does not affect the others.
 *
 * @param turns shared by all runs of a process. Default: waits for all work.
 * @throws {AggregateError} all errors, after every resource had its turn.
 */
export async function sweepDeadlines(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<void> {
  const failures: unknown[] = [];
  for (const sweep of SWEEPS) {
    try {
      await sweep(services, now, turns);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "deadlines could not be handled");
}
