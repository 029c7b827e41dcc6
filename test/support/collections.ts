import type { Ctx } from "../../src/domain/kernel/context.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { insertTestAgent, createAgentCommand, insertTestEvalRun, insertTestMission } from "./factories.ts";

/** A created row with its time. */
type Made = { id: string; at: Date };

/** Creates one row of a collection at this time. @returns its id. */
const MAKERS: Record<string, (ctx: Ctx, at: Date) => Promise<string>> = {
  messages: async (ctx) => (await sendMessage(ctx, { parts: [{ text: "Hello" }] })).message.id,
  tasks: async (ctx) => (await createTask(ctx, { title: "Count the pallets" })).id,
  eval_runs: async (ctx, at) => insertTestEvalRun(ctx, { createdAt: at }),
  agent_commands: async (ctx, at) => createAgentCommand(ctx, await anAgent(ctx), { createdAt: at }),
  robots: async (ctx) => insertTestAgent(ctx, "robot"),
  missions: async (ctx, at) => insertTestMission(ctx, { createdAt: at }),
};

/** Creates a row of a collection for each time. @returns their ids in list order, newest first. */
export async function fillCollection(ctx: Ctx, key: string, instants: readonly Date[]): Promise<string[]> {
  const make = MAKERS[key];
  if (make === undefined) throw new Error(`${key} is not a collection`);
  const before = ctx.now;
  const made: Made[] = [];
  for (const at of instants) {
    ctx.now = at;
    made.push({ id: await make(ctx, at), at });
  }
  ctx.now = before;
  return made.toSorted(newestFirst).map(({ id }) => id);
}

function newestFirst(a: Made, b: Made): number {
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1);
}

/** An agent of the workspace, because commands need one. */
async function anAgent(ctx: Ctx): Promise<string> {
  const { id } = await ctx.db.agent.findFirstOrThrow({ where: {}, orderBy: { createdAt: "asc" } });
  return id;
}
