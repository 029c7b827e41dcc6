import type { Prisma } from "../db/generated/client.ts";
import { type NewAgent, insertAgent } from "../domain/agents/insert-agent.ts";
import type { Ctx, Transaction } from "../domain/kernel/context.ts";
import { type AppendContent, append } from "../domain/kernel/events.ts";
import { mergeAppends } from "../domain/kernel/merge-appends.ts";
import { lockDemo } from "./lock-demo.ts";
import { createRandom } from "./random.ts";
import { ROBOTS, toReportColumns } from "./roster/robots.ts";
import { SOFTWARE_AGENTS } from "./roster/software-agents.ts";

type Member = {
  agent: NewAgent;
  details: Prisma.AgentUncheckedUpdateInput;
  report: Prisma.RobotUncheckedUpdateInput | null;
};

const DAY_MS = 86_400_000;
const ROBOT_COMMANDS = [
  "mission.start",
  "mission.pause",
  "mission.resume",
  "robot.stop",
  "robot.dock",
  "robot.localize",
];
const AGENT_COMMANDS = ["agent.pause", "agent.resume", "agent.restart", "agent.reload_config"];

/** Inserts the demo's agents and robots that don't exist yet. */
export async function insertRoster(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockDemo(tx);
    const { createdAt: end } = await tx.db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
    const agents = await tx.db.agent.findMany({ select: { handle: true } });
    const known = new Set(agents.map(({ handle }) => handle));
    const missing = [...listSoftwareMembers(end), ...listRobotMembers(end)].filter(
      ({ agent }) => !known.has(agent.handle),
    );
    if (missing.length === 0) return;
    const appended: AppendContent[] = [];
    for (const member of missing) appended.push(await insertMember(tx, member));
    const target = { targetType: "workspace", targetId: ctx.workspaceId };
    const changes = { collection: "agents", rows: missing.length };
    const filled = { events: [], audit: [{ action: "demo.filled", ...target, changes }] };
    append(tx, mergeAppends(...appended, filled));
  });
}

async function insertMember(tx: Transaction, { agent, details, report }: Member) {
  const inserted = await insertAgent(tx, agent);
  const where = { workspaceId_id: { workspaceId: tx.ctx.workspaceId, id: inserted.agent.id } };
  await tx.db.agent.update({ where, data: details });
  if (report !== null) await tx.db.robot.update({ where, data: report });
  return inserted.appended;
}

function listSoftwareMembers(end: Date): Member[] {
  return SOFTWARE_AGENTS.map(({ handle, name, version, team, description, commands }) => ({
    agent: { handle, name, kind: "software" as const },
    details: {
      version,
      description,
      labels: { team },
      ...getTimes(handle, end, createRandom(`seen ${handle}`).whole(1, 50)),
      capabilities: [...AGENT_COMMANDS, ...commands].map((type) => ({ type })),
    },
    report: null,
  }));
}

function listRobotMembers(end: Date): Member[] {
  return ROBOTS.map((robot) => {
    const times = getTimes(robot.handle, end, robot.silentSeconds);
    return {
      agent: { handle: robot.handle, name: robot.name, kind: "robot" as const },
      details: {
        ...times,
        version: robot.model === "Scout S2" ? "2.9.4" : "7.3.0",
        description: `${robot.model} of Carrow Robotics, serial number ${robot.serialNumber}.`,
        labels: { site: "hall-a", model: robot.model.toLowerCase().replaceAll(" ", "-") },
        capabilities: ROBOT_COMMANDS.map((type) => ({ type })),
      },
      report: { ...toReportColumns(robot, end), createdAt: times.createdAt, updatedAt: end },
    };
  });
}

/** Agents existed before the simulated month. */
function getTimes(handle: string, end: Date, silentSeconds: number) {
  const age = createRandom(`age ${handle}`).between(35, 320) * DAY_MS;
  const lastSeenAt = new Date(end.getTime() - silentSeconds * 1000);
  return { createdAt: new Date(Math.floor(end.getTime() - age)), updatedAt: end, lastSeenAt };
}
