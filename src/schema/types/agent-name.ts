import { type AgentName, readAgentNames } from "../../domain/agents/read-agent-names.ts";
import type { EntityName } from "../../domain/gateway-checks/entity-name.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { validate as isUuid } from "uuid";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { toGlobalId } from "../global-id.ts";

const loadAgentName = createBatchLoader<AgentName>(readAgentNames);

/** Null if there is no agent, or if the caller may not read agents. */
export async function findAgentName(ctx: Ctx, agentId: string | null): Promise<AgentName | null> {
  return agentId === null ? null : ((await loadAgentName(ctx, agentId)) ?? null);
}

/** The agent that is a resource, as {@link findAgentName}. */
export async function findResourceAgent(
  ctx: Ctx,
  { resourceType, resourceId }: { resourceType: string; resourceId: string },
): Promise<AgentName | null> {
  return findNamedAgent(ctx, { type: resourceType, id: resourceId });
}

/** The agent that is a subject as it is stored, as {@link findAgentName}. */
export async function findSubjectAgent(ctx: Ctx, subject: unknown): Promise<AgentName | null> {
  // Written by nameSubject().
  return subject === null ? null : findNamedAgent(ctx, subject as EntityName);
}

async function findNamedAgent(ctx: Ctx, { type, id }: EntityName): Promise<AgentName | null> {
  return findAgentName(ctx, type === "agent" && isUuid(id) ? id : null);
}

export const AgentNameType = builder.objectRef<AgentName>("AgentName").implement({
  description: "An agent's name and ids.",
  fields: (t) => ({
    id: t.id({ description: "The agent's id.", resolve: ({ id }) => toGlobalId("Agent", id) }),
    uuid: t.expose("id", { type: "UUID" }),
    handle: t.exposeString("handle"),
    name: t.exposeString("name"),
  }),
});
