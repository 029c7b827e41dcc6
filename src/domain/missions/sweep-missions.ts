import { type Statement, NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { append } from "../kernel/events.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { isStoppedSql } from "../stops/is-stopped.ts";
import type { FairTurns } from "../sweeps/fair-turns.ts";
import { sweepWorkspaces } from "../sweeps/sweep-workspaces.ts";
import { type DueMove, findDueMove } from "./find-due-move.ts";
import { assignMissions } from "./assign-missions.ts";
import { IS_FIT } from "./fit-robots.ts";
import { insertMissionCommands } from "./insert-mission-commands.ts";
import { MISSIONS_DUE, lockDueMissions } from "./lock-due-missions.ts";
import { moveMissions } from "./move-missions.ts";
import { recallStarts } from "./recall-starts.ts";

/** The workspaces with a waiting mission and a free robot. */
/** The workspaces that have some. */
export const MISSIONS_WAITING = sql<{ id: string }>`
SELECT w.id FROM workspace w
WHERE EXISTS (
    SELECT 1 FROM mission m WHERE m.workspace_id = w.id AND m.status = 'pending'
      AND (m.deadline_at IS NULL OR m.deadline_at > ${NOW}))
  AND EXISTS (
    SELECT 1 FROM robot r JOIN agent a ON a.workspace_id = r.workspace_id AND a.id = r.id
    WHERE r.workspace_id = w.id AND ${IS_FIT} AND NOT ${isStoppedSql("a", "w.id")})`;

/**
 * Moves missions without a call: ends or requeues due missions, and assigns waiting ones. Any number of
 * nodes may run it at once. Each batch takes a fixed number of statements.
 *
 * @returns the number of changed missions.
 */
export async function sweepMissions(
  services: Services,
  now: Date | null = null,
  turns?: FairTurns,
): Promise<number> {
  function sweep(
    due: Statement<{ id: string }>,
    batch: (tx: Transaction) => Promise<number>,
  ): Promise<number> {
    return sweepWorkspaces(services, { now, turns }, { due, batch: (ctx) => ctx.transaction(batch) });
  }
  const due = await sweep(MISSIONS_DUE, moveDueMissions);
  const assigned = await sweep(MISSIONS_WAITING, assign);
  return due + assigned;
}

async function assign(tx: Transaction): Promise<number> {
  const { missions, appended } = await assignMissions(tx);
  if (missions.length > 0) append(tx, appended);
  return missions.length;
}

async function moveDueMissions(tx: Transaction): Promise<number> {
  const due = await lockDueMissions(tx);
  const [first] = due;
  const moves = due.flatMap((one) => findDueMove(one) ?? []);
  if (first === undefined || moves.length === 0) return 0;
  const moved = await moveMissions(
    tx,
    first.now,
    moves.map(({ move }) => move),
  );
  const recalled = await recallStarts(tx, getMissions(moves, "recall"));
  const canceled = await insertMissionCommands(tx, {
    type: "mission.cancel",
    priority: "urgent",
    orders: getMissions(moves, "cancel").flatMap(({ id: missionId, robotId }) =>
      robotId === null ? [] : [{ robotId, missionId }],
    ),
  });
  append(tx, mergeAppends(moved.appended, recalled.appended, canceled.appended));
  return moves.length;
}

function getMissions(moves: readonly DueMove[], how: DueMove["instruction"]) {
  return moves.filter(({ instruction: tell }) => tell === how).map(({ move }) => move.mission);
}
