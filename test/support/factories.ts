import { v7 as uuidv7 } from "uuid";
import { sql } from "../../src/db/sql.ts";
import type { Prisma } from "../../src/db/generated/client.ts";
import { createAlertRule } from "../../src/domain/alerts/create-alert-rule.ts";
import { insertAgent } from "../../src/domain/agents/insert-agent.ts";
import { setFloorPlan } from "../../src/domain/floor-plans/set-floor-plan.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { setMissionTemplate } from "../../src/domain/mission-templates/set-mission-template.ts";
import { append } from "../../src/domain/kernel/events.ts";
import { buildPng } from "./png.ts";

/** Creates an agent with a unique handle. @returns its id. */
export async function insertTestAgent(ctx: Ctx, kind: "software" | "robot" = "software"): Promise<string> {
  return ctx.transaction(async (tx) => {
    const handle = `agent-${uuidv7()}`;
    const { agent, appended } = await insertAgent(tx, { handle, name: "An agent", kind });
    append(tx, appended);
    return agent.id;
  });
}

/** Inserts robots, each with an error of this size. */
export async function insertRobots(
  ctx: Ctx,
  { count, errorBytes }: { count: number; errorBytes: number },
): Promise<void> {
  await ctx.run(ROBOTS, [ctx.workspaceId, count, errorBytes]);
}

const ROBOTS = sql`
WITH made AS (
  INSERT INTO agent (workspace_id, id, handle, name, kind)
  SELECT $1::uuid, gen_random_uuid(), 'many-' || n, 'One of many', 'robot' FROM generate_series(1, $2::int) n
  RETURNING workspace_id, id
), robots AS (
  INSERT INTO robot (workspace_id, id, errors)
  SELECT workspace_id, id, jsonb_build_array(repeat('x', $3::int)) FROM made
)
INSERT INTO collection_total AS c (workspace_id, collection, facet, total, version)
VALUES ($1::uuid, 'robots', 'all', $2::int, 0)
ON CONFLICT (workspace_id, collection, facet) DO UPDATE SET total = c.total + EXCLUDED.total`;

const BY = { type: "system", id: null, name: "test" };

/** Creates an evaluation run. @returns its id. */
export async function insertTestEvalRun(
  ctx: Ctx,
  fields: Partial<Prisma.EvalRunUncheckedCreateInput> = {},
): Promise<string> {
  const id = uuidv7();
  await ctx.transaction(async (tx) => {
    const { status } = await tx.db.evalRun.create({
      data: { workspaceId: ctx.workspaceId, id, suite: "smoke", name: "Nightly", createdBy: BY, ...fields },
    });
    append(tx, {
      events: [{ type: "eval_run.created", subjectType: "eval_run", subjectId: id }],
      totals: [{ collection: "eval_runs", to: status }],
    });
  });
  return id;
}

/** Creates a command for an agent. @returns its id. */
export async function createAgentCommand(
  ctx: Ctx,
  agentId: string,
  fields: Partial<Prisma.AgentCommandUncheckedCreateInput> = {},
): Promise<string> {
  const id = uuidv7();
  await ctx.transaction(async (tx) => {
    const seq = (await tx.db.agentCommand.count({ where: { agentId } })) + 1;
    const { status } = await tx.db.agentCommand.create({
      data: {
        workspaceId: ctx.workspaceId,
        id,
        agentId,
        seq,
        type: "agent.pause",
        expiresAt: new Date(Date.now() + 3_600_000),
        issuedBy: BY,
        ...fields,
      },
    });
    append(tx, {
      events: [{ type: "agent_command.created", subjectType: "agent_command", subjectId: id, agentId }],
      totals: [{ collection: "agent_commands", to: status }],
    });
  });
  return id;
}

/** Inserts missions without events. */
export async function insertMissions(ctx: Ctx, count: number): Promise<void> {
  const { workspaceId } = ctx;
  const data = Array.from({ length: count }, (_, n) => ({
    ...{ workspaceId, id: uuidv7(), title: `Mission ${n}`, kind: "patrol" as const, createdBy: BY },
  }));
  await ctx.db.mission.createMany({ data });
}

/** Creates a mission. @returns its id. */
export async function insertTestMission(
  ctx: Ctx,
  fields: Partial<Prisma.MissionUncheckedCreateInput> = {},
): Promise<string> {
  const id = uuidv7();
  await ctx.transaction(async (tx) => {
    const { status } = await tx.db.mission.create({
      data: {
        workspaceId: ctx.workspaceId,
        id,
        title: "Bring the pallet",
        kind: "transport",
        createdBy: BY,
        ...fields,
      },
    });
    append(tx, {
      events: [{ type: "mission.created", subjectType: "mission", subjectId: id }],
      totals: [{ collection: "missions", to: status }],
    });
  });
  return id;
}

/** Creates a floor plan of a map with this name. */
export async function insertTestFloorPlan(ctx: Ctx, mapId: string): Promise<void> {
  const place = { mapId, resolution: 1, originX: 0, originY: 0 };
  await setFloorPlan(ctx, { ...place, image: buildPng(2, 2) });
}

/** Creates a template of missions with this name. */
export async function insertTestMissionTemplate(ctx: Ctx, name: string): Promise<void> {
  const steps = [{ key: name, type: "move", params: { station: name } } as const];
  await setMissionTemplate(ctx, { name, title: name, kind: "transport", steps });
}

/** Creates an alert rule that nobody looks at. @returns its id. */
export async function insertTestAlertRule(ctx: Ctx, name: string): Promise<string> {
  const watched = { label: name, labelValue: name };
  const rule = { name, description: name, metric: "agents_offline", threshold: 1, watched } as const;
  return (await createAlertRule(ctx, { ...rule, enabled: false })).id;
}
