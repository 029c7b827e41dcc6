import type { AgentCommand, Prisma } from "../../src/db/generated/client.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { agentCtx } from "./agent-ctx.ts";
import { userCtx } from "./callers.ts";
import { insertTestAgent, createAgentCommand } from "./factories.ts";
import type { TestWorld } from "./test-world.ts";

/** The time of every scene, long after any sweep of the test's server. */
export const NOW = new Date("2100-01-01T00:00:00.000Z");
/** The error of a failed command. */
export const ERROR = { code: "jammed", message: "The gripper is jammed." };

/** An agent and a user of a new workspace, at {@link NOW}. */
export type CommandScene = { agentId: string; agent: Ctx; operator: Ctx };

/** Creates a workspace with an agent that accepts commands. */
export async function createCommandScene({ server, another }: TestWorld): Promise<CommandScene> {
  const { ctx, workspaceId } = await another();
  const agentId = await insertTestAgent(ctx);
  return {
    agentId,
    agent: agentCtx(server, { id: agentId, workspaceId }, { now: NOW }),
    operator: openCtx(server.services, { ...userCtx(server, workspaceId, "operator") }, NOW),
  };
}

/** Creates a command and brings it to a status in the usual way. @returns its id. */
export async function commandIn(
  { operator, agentId }: CommandScene,
  status: AgentCommand["status"],
  fields: Partial<Prisma.AgentCommandUncheckedCreateInput> = {},
): Promise<string> {
  const delivered = status !== "queued" && { deliveredAt: NOW, deliveryAttempts: 1 };
  const acknowledged = ["acknowledged", "running", "succeeded", "failed", "timed_out"].includes(status);
  return createAgentCommand(operator, agentId, {
    status,
    createdAt: NOW,
    expiresAt: after(3600),
    ...delivered,
    ...(acknowledged && { acknowledgedAt: NOW }),
    ...(status === "failed" && { error: ERROR }),
    ...fields,
  });
}

/** Some seconds after {@link NOW}. */
export function after(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}
