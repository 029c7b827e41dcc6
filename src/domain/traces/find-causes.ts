import { sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { TelemetrySpan } from "./telemetry.ts";

/** The task and the mission that a span is work of, and the run that it is evaluated in. */
export type Cause = { taskId: string | null; missionId: string | null; evalRunId: string | null };

type Naming = Pick<TelemetrySpan, "causes">;

/** The most tasks, and missions, commands and evaluation runs, that the spans of one request can be linked to. */
const MOST_LINKS = 1000;

const NO_CAUSE: Cause = { taskId: null, missionId: null, evalRunId: null };

/**
 * Finds the tasks and missions that spans name, themselves or by a command of them, and the evaluation runs. Those of
 * another workspace don't exist.
 */
export async function findCauses(ctx: Ctx, spans: readonly Naming[]): Promise<(span: Naming) => Cause> {
  const tasks = listNamed(spans, ({ causes }) => causes.taskId);
  const missions = listNamed(spans, ({ causes }) => causes.missionId);
  const commands = listNamed(spans, ({ causes }) => causes.commandId);
  const runs = listNamed(spans, ({ causes }) => (causes.evalItemKey === null ? null : causes.evalRunId));
  if (tasks.length + missions.length + commands.length + runs.length === 0) return () => NO_CAUSE;
  const found = await ctx.read(CAUSES, [ctx.workspaceId, tasks, missions, commands, runs]);
  const causes = new Map(found.map(({ kind, id, ...cause }) => [`${kind} ${id}`, cause]));
  return ({ causes: { taskId, missionId, commandId, evalRunId } }) => {
    const [task, mission, command] = [`task ${taskId}`, `mission ${missionId}`, `command ${commandId}`].map(
      (key) => causes.get(key),
    );
    return {
      taskId: task?.taskId ?? command?.taskId ?? null,
      missionId: mission?.missionId ?? task?.missionId ?? command?.missionId ?? null,
      evalRunId: causes.has(`run ${evalRunId}`) ? evalRunId : null,
    };
  };
}

function listNamed(spans: readonly Naming[], getId: (span: Naming) => string | null): string[] {
  return [...new Set(spans.map(getId).filter((id) => id !== null))].slice(0, MOST_LINKS);
}

const CAUSES = sql<{ kind: string; id: string; taskId: string | null; missionId: string | null }>`
SELECT 'task' AS kind, id, id AS "taskId", mission_id AS "missionId" FROM task
WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])
UNION ALL
SELECT 'mission', id, NULL, id FROM mission WHERE workspace_id = $1::uuid AND id = ANY($3::uuid[])
UNION ALL
SELECT 'command', id, task_id, mission_id FROM agent_command
WHERE workspace_id = $1::uuid AND id = ANY($4::uuid[])
UNION ALL
SELECT 'run', id, NULL, NULL FROM eval_run WHERE workspace_id = $1::uuid AND id = ANY($5::uuid[])`;
