import { hasScope } from "../../../src/domain/kernel/has-scope.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { type Skill, createAgentCard } from "../agent-card.ts";
import type { Call } from "../operation.ts";
import { META } from "../protocol.ts";

const ListQueues = graphql(`
  query ListPeerQueues {
    queues
  }
`);

/** The card with a skill for each queue that the caller may write to. Without one, it is the card for everybody. */
export async function getExtendedAgentCard({ ctx, baseUrl }: Call): Promise<object> {
  if (!hasScope(ctx, "tasks:read") || !hasScope(ctx, "tasks:write")) return createAgentCard(baseUrl);
  const { queues } = await execute(ctx, ListQueues, {});
  return createAgentCard(baseUrl, [...new Set(["default", ...queues])].map(createSkill));
}

function createSkill(queue: string): Skill {
  const how = queue === "default" ? "" : ` Send ${META.queue}: ${JSON.stringify(queue)} as metadata.`;
  return {
    id: queue,
    name: queue,
    description: `Tasks for the agents that work on the queue ${queue}.${how}`,
    tags: ["queue"],
  };
}
