import { NOW, sql } from "../../db/sql.ts";
import type { Digest } from "../emails/email.ts";
import type { Ctx } from "../kernel/context.ts";
import { OVERVIEW_WINDOWS } from "../overview/overview-window.ts";
import { type Overview, readOverview } from "../overview/read-overview.ts";

const WINDOWS = { daily: "last_day", weekly: "last_week" } as const;

/** Reads the digest of the day or the week until now. Null if nothing happened and nothing waits. */
export async function readDigest(ctx: Ctx, frequency: Digest["frequency"]): Promise<Digest | null> {
  const window = WINDOWS[frequency];
  const [overview, [more]] = await Promise.all([
    readOverview(ctx, window),
    ctx.read(READ, [ctx.workspaceId, OVERVIEW_WINDOWS[window]]),
  ]);
  const digest = { frequency, ...toCounts(overview), ...(more ?? NOTHING) };
  return isEmpty(digest) ? null : digest;
}

function toCounts({ at, agents, tasks, missions, questions }: Overview) {
  const { completed = 0, failed = 0, canceled = 0 } = tasks.ended;
  const { presence } = agents;
  const waitsSince = questions.oldestAt ?? at;
  return {
    tasks: { completed, failed, canceled, waiting: tasks.counts.submitted ?? 0 },
    missions: { completed: missions.ended.completed ?? 0, failed: missions.ended.failed ?? 0 },
    questions: {
      waiting: questions.waiting,
      oldestSeconds: (at.getTime() - waitsSince.getTime()) / 1000,
    },
    agents: {
      online: presence.online ?? 0,
      known: Object.values(presence).reduce((sum, count) => sum + count, 0),
    },
  };
}

/** How many agents are online is no reason for an email. */
function isEmpty({ tasks, missions, questions, approvalsWaiting, alertsFiring, costUsd }: Digest): boolean {
  const counts = [...Object.values(tasks), ...Object.values(missions), questions.waiting];
  return [...counts, approvalsWaiting, alertsFiring, costUsd].every((count) => count === 0);
}

type More = Pick<Digest, "costUsd" | "approvalsWaiting" | "alertsFiring">;

const NOTHING: More = { costUsd: 0, approvalsWaiting: 0, alertsFiring: 0 };

/** Costs are kept by the hour: those of the hour in which the time began are not counted. */
const READ = sql<More>`
SELECT
  (SELECT COALESCE(sum(cost_usd), 0)::float8 FROM usage_bucket
    WHERE workspace_id = $1::uuid AND period = 'hour' AND dimension = 'workspace' AND start > ${NOW} - $2::interval) AS "costUsd",
  COALESCE((SELECT total FROM collection_total
    WHERE workspace_id = $1::uuid AND collection = 'approvals' AND facet = 'pending'), 0)::int AS "approvalsWaiting",
  (SELECT count(*)::int FROM alert_rule WHERE workspace_id = $1::uuid AND state = 'firing') AS "alertsFiring"`;
