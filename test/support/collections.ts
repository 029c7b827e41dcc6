import type { Ctx } from "../../src/domain/kernel/context.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { insertTestAgent, createAgentCommand, insertTestEvalRun, insertTestMission } from "./factories.ts";

/** A row that was made, and when. */
type Made = { id: string; at: Date };

/** Makes one row of a listed collection, created at that instant. @returns its id. */
const MAKERS: Record<string, (ctx: Ctx, at: Date) => Promise<string>> = {
  messages: async (ctx) => (await sendMessage(ctx, { parts: [{ text: "Hello" }] })).message.id,
  tasks: async (ctx) => (await createTask(ctx, { title: "Count the pallets" })).id,
  eval_runs: async (ctx, at) => insertTestEvalRun(ctx, { createdAt: at }),
  agent_commands: async (ctx, at) => createAgentCommand(ctx, await anAgent(ctx), { createdAt: at }),
  robots: async (ctx) => insertTestAgent(ctx, "robot"),
  missions: async (ctx, at) => insertTestMission(ctx, { createdAt: at }),
};

/** Makes a row of a listed collection for each instant. @returns their ids as the list has them, newest first. */
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

/** One agent of the workspace: commands need somebody to go to. */
async function anAgent(ctx: Ctx): Promise<string> {
  const { id } = await ctx.db.agent.findFirstOrThrow({ where: {}, orderBy: { createdAt: "asc" } });
  return id;
}
