import { v7 as uuidv7 } from "uuid";
import type { Prisma } from "../../src/db/generated/client.ts";
import { insertAgent } from "../../src/domain/agents/insert-agent.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { append } from "../../src/domain/kernel/events.ts";

/** Creates an agent with a unique handle. @returns its id. */
export async function insertTestAgent(ctx: Ctx, kind: "software" | "robot" = "software"): Promise<string> {
  return ctx.transaction(async (tx) => {
    const handle = `agent-${uuidv7()}`;
    const { agent, appended } = await insertAgent(tx, { handle, name: "An agent", kind });
    append(tx, appended);
    return agent.id;
  });
}

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
