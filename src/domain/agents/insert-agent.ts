import { v7 as uuidv7 } from "uuid";
import type { Agent, AgentKind } from "../../db/generated/client.ts";
import type { Transaction } from "../kernel/context.ts";
import type { AppendContent } from "../kernel/events.ts";
import { getFixedTimes } from "../kernel/get-fixed-times.ts";
import { holdStops, requireNoStopOf } from "../stops/is-stopped.ts";

export type NewAgent = { handle: string; name: string; kind: AgentKind } & Partial<
  Pick<Agent, "id" | "externalId" | "description" | "archivedAt">
>;

/**
 * Inserts an agent and, for the kind robot, its robot.
 *
 * @returns the agent, and what the transaction must append.
 * @throws {DomainError} emergency_stop if a stop would cover it.
 */
export async function insertAgent(
  tx: Transaction,
  input: NewAgent,
): Promise<{
  agent: Agent;
  appended: Pick<AppendContent, "events"> & Required<Pick<AppendContent, "totals">>;
}> {
  const { db, ctx } = tx;
  await holdStops(tx);
  await requireNoStopOf(tx, input.kind);
  const at = getFixedTimes(ctx, "createdAt", "updatedAt");
  const agent = await db.agent.create({
    data: { workspaceId: ctx.workspaceId, id: uuidv7(), ...input, ...at },
  });
  const isRobot = input.kind === "robot";
  if (isRobot) await db.robot.create({ data: { workspaceId: ctx.workspaceId, id: agent.id, ...at } });
  return {
    agent,
    appended: {
      events: [
        {
          type: "agent.created",
          subjectType: "agent",
          subjectId: agent.id,
          agentId: agent.id,
          data: { generation: 1, handle: agent.handle, kind: agent.kind },
        },
      ],
      totals: [
        { collection: "agents", to: null },
        ...(isRobot ? [{ collection: "robots" as const, to: null }] : []),
      ],
    },
  };
}
