import { createHash } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import type { ActorRecord } from "../domain/kernel/actor.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { createRhythm } from "./rhythm.ts";
import { PEOPLE } from "./roster/people.ts";

/** The setting of the demo: its agents and people, and the month that is simulated. */
export type DemoWorld = {
  workspaceId: string;
  /** The end of the month. Everything has happened before it. */
  end: Date;
  /** The moment at which this share of the month's work, 0 to 1, is done. */
  getMoment: (share: number) => Date;
  /** Returns the id of a row, always the same. Ids sort by their time. */
  createId: (name: string, at: Date) => string;
  agent: (handle: string) => ActorRecord & { id: string };
  agentById: (id: string) => ActorRecord;
  person: (email: string) => ActorRecord;
};

/**
 * Loads the world of a demo whose agents and people are in the database. It depends only on the workspace,
 * so that an interrupted fill can continue.
 */
export async function loadWorld(ctx: Ctx): Promise<DemoWorld> {
  const { workspaceId } = ctx;
  const workspace = await ctx.db.workspace.findUniqueOrThrow({ where: { id: workspaceId } });
  const agents = await ctx.db.agent.findMany({ select: { id: true, handle: true, name: true } });
  const users = await ctx.db.user.findMany({
    where: { email: { in: PEOPLE.map(({ email }) => email) } },
    select: { id: true, email: true, name: true },
  });
  const agentsByHandle = new Map(
    agents.map(({ id, handle, name }) => [handle, { type: "agent" as const, id, name }]),
  );
  const agentById = new Map([...agentsByHandle.values()].map((agent) => [agent.id, agent]));
  const usersByEmail = new Map(
    users.map(({ id, email, name }) => [email, { type: "user" as const, id, name }]),
  );
  return {
    workspaceId,
    end: workspace.createdAt,
    getMoment: createRhythm(workspace.createdAt),
    createId: (name, at) =>
      uuidv7({
        msecs: at.getTime(),
        random: createHash("sha256").update(`${workspaceId} ${name}`).digest().subarray(0, 16),
      }),
    agentById: (id) => requireFound(agentById.get(id), id),
    agent: (handle) => requireFound(agentsByHandle.get(handle), handle),
    person: (email) => {
      const { name, ...rest } = requireFound(usersByEmail.get(email), email);
      return { ...rest, name: name ?? email };
    },
  };
}

function requireFound<Found>(found: Found | undefined, name: string): Found {
  if (found === undefined) throw new Error(`the demo has no ${name}`);
  return found;
}
