import { sweepAgentCommands } from "../agent-commands/sweep-agent-commands.ts";
import type { Services } from "../kernel/context.ts";
import { sweepEvalRuns } from "../eval-runs/sweep-eval-runs.ts";
import { sweepMissions } from "../missions/sweep-missions.ts";
import { sweepRobots } from "../robots/sweep-robots.ts";
import { sweepTasks } from "../tasks/sweep-tasks.ts";
import { writeDeferredAppends } from "../kernel/write-deferred-appends.ts";

/** What works the deadlines of one resource. Tests give the time. */
type Sweep = (services: Services, now: Date | null) => Promise<unknown>;

const SWEEPS: readonly Sweep[] = [
  writeDeferredAppends,
  sweepTasks,
  sweepAgentCommands,
  sweepRobots,
  sweepMissions,
  sweepEvalRuns,
];

/**
 * Works every deadline that has passed, of every resource. Any number of nodes may do it at once. One
 * resource's failure keeps the others from nothing.
 *
 * @throws {AggregateError} with what failed, when all were worked.
 */
export async function sweepDeadlines(services: Services, now: Date | null = null): Promise<void> {
  const failures: unknown[] = [];
  for (const sweep of SWEEPS) {
    try {
      await sweep(services, now);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "deadlines could not be worked");
}
