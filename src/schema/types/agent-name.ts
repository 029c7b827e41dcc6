import { type AgentName, readAgentNames } from "../../domain/agents/read-agent-names.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { toGlobalId } from "../global-id.ts";

const loadAgentName = createBatchLoader<AgentName>(readAgentNames);

/** What people know an agent by; null without one, and for a caller who may not read agents. */
export async function findAgentName(ctx: Ctx, agentId: string | null): Promise<AgentName | null> {
  return agentId === null ? null : ((await loadAgentName(ctx, agentId)) ?? null);
}

/** The type of an agent's name, for what concerns an agent. */
export const AgentNameType = builder.objectRef<AgentName>("AgentName").implement({
  description: "What people know an agent by.",
  fields: (t) => ({
    id: t.id({ description: "The agent's.", resolve: ({ id }) => toGlobalId("Agent", id) }),
    uuid: t.expose("id", { type: "UUID" }),
    handle: t.exposeString("handle"),
    name: t.exposeString("name"),
  }),
});
