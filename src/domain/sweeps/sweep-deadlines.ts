import { type Statement, nameText } from "../../db/sql.ts";
import { COMMANDS_DUE, sweepAgentCommands } from "../agent-commands/sweep-agent-commands.ts";
import { ALERTS_DUE, evaluateAlerts } from "../alerts/evaluate-alerts.ts";
import { APPROVALS_DUE, sweepApprovals } from "../approvals/sweep-approvals.ts";
import { BUDGETS_DUE, sweepBudgets } from "../budgets/sweep-budgets.ts";
import type { Services } from "../kernel/services.ts";
import { EVAL_RUNS_DUE, sweepEvalRuns } from "../eval-runs/sweep-eval-runs.ts";
import { EXECUTIONS_DUE, sweepExecutions } from "../executions/sweep-executions.ts";
import { MISSIONS_DUE } from "../missions/lock-due-missions.ts";
import { MISSIONS_WAITING, sweepMissions } from "../missions/sweep-missions.ts";
import { ROBOTS_SILENT, sweepRobots } from "../robots/sweep-robots.ts";
import { STOPS_UNSENT, sweepStops } from "../stops/sweep-stops.ts";
import { TASKS_DUE, sweepTasks } from "../tasks/sweep-tasks.ts";
import { TASKS_LEFT, sweepWaitingTasks } from "../tasks/sweep-waiting-tasks.ts";
import { SPANS_QUEUED, sweepQueuedSpans } from "../traces/sweep-queued-spans.ts";
import type { FairTurns } from "./fair-turns.ts";
import { APPENDS_DEFERRED, sweepDeferredAppends } from "./sweep-deferred-appends.ts";

/** Handles the deadlines of one resource, of the workspaces that the statements find. */
type Sweep = {
  due: readonly Statement<{ id: string }>[];
  run: (services: Services, now: Date | null, turns?: FairTurns) => Promise<unknown>;
  /** Whether it has turns of its own: deadlines must not wait for what reads much. */
  isApart?: true;
};

/** The turns of all runs of a process. */
export type DeadlineTurns = { shared: FairTurns; apart: FairTurns };

const SWEEPS: readonly Sweep[] = [
  { due: [APPENDS_DEFERRED], run: sweepDeferredAppends },
  { due: [STOPS_UNSENT], run: sweepStops },
  { due: [TASKS_DUE], run: sweepTasks },
  { due: [COMMANDS_DUE], run: sweepAgentCommands },
  { due: [ROBOTS_SILENT], run: sweepRobots },
  { due: [MISSIONS_DUE, MISSIONS_WAITING], run: sweepMissions },
  { due: [EVAL_RUNS_DUE], run: sweepEvalRuns },
  { due: [BUDGETS_DUE], run: sweepBudgets },
  { due: [APPROVALS_DUE], run: sweepApprovals },
  { due: [TASKS_LEFT], run: sweepWaitingTasks },
  { due: [EXECUTIONS_DUE], run: sweepExecutions },
  { due: [SPANS_QUEUED], run: sweepQueuedSpans },
  { due: [ALERTS_DUE], run: evaluateAlerts, isApart: true },
];

/** Which of the sweeps have something to do: mostly none has, and this is the only statement of a run. */
const FIND_DUE = buildFindDue();

function buildFindDue(): Statement<{ due: boolean[] }> {
  const parts = SWEEPS.map(({ due }) => due.map(({ text }) => `EXISTS (${text})`).join(" OR "));
  const text = `SELECT ARRAY[\n${parts.join(",\n")}\n] AS due`;
  // Each statement has the time as its only parameter.
  return { name: nameText(text), text, timePlace: 1 };
}

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
  turns?: DeadlineTurns,
): Promise<void> {
  const failures: unknown[] = [];
  for (const { run, isApart } of await findDue(services, now)) {
    try {
      await run(services, now, isApart ? turns?.apart : turns?.shared);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "deadlines could not be handled");
}

/** All of them if that can't be found out: what fails may be the statement of one. */
async function findDue({ database, log }: Services, now: Date | null): Promise<readonly Sweep[]> {
  try {
    const [found] = await database.run(FIND_DUE, [now]);
    return SWEEPS.filter((_sweep, at) => found?.due[at] === true);
  } catch (error) {
    log.debug({ err: error }, "what is due could not be found at once");
    return SWEEPS;
  }
}
