import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { Operations, WriteTarget } from "./operations.ts";

const AgentFields = graphql(`
  fragment AgentFields on DirectoryAgent {
    uuid
    version
    attributes
    createdAt
    updatedAt
  }
`);

const ListAgents = graphql(
  `
    query ScimListAgents($query: DirectoryQuery!) {
      directoryAgents(query: $query) {
        total
        nextCursor
        previousCursor
        nodes {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

const ReadAgent = graphql(
  `
    query ScimReadAgent($id: ID!) {
      directoryAgent(id: $id) {
        ...AgentFields
      }
    }
  `,
  [AgentFields],
);

const CreateAgent = graphql(
  `
    mutation ScimCreateAgent($input: CreateDirectoryAgentInput!) {
      createDirectoryAgent(input: $input) {
        agent {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

const ReplaceAgent = graphql(
  `
    mutation ScimReplaceAgent($input: ReplaceDirectoryAgentInput!) {
      replaceDirectoryAgent(input: $input) {
        agent {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

const PatchAgent = graphql(
  `
    mutation ScimPatchAgent($input: PatchDirectoryAgentInput!) {
      patchDirectoryAgent(input: $input) {
        agent {
          ...AgentFields
        }
      }
    }
  `,
  [AgentFields],
);

const DeleteAgent = graphql(`
  mutation ScimDeleteAgent($input: DeleteDirectoryAgentInput!) {
    deleteDirectoryAgent(input: $input) {
      deletedId
    }
  }
`);

export const AGENT_OPERATIONS: Operations = {
  type: "Agent",
  list: async (ctx, query) => (await execute(ctx, ListAgents, { query })).directoryAgents,
  read: async (ctx, id) => (await execute(ctx, ReadAgent, { id: toGlobalId("Agent", id) })).directoryAgent,
  create: async (ctx, attributes, uuid) => {
    const made = await execute(ctx, CreateAgent, { input: { attributes, uuid } });
    return made.createDirectoryAgent.agent;
  },
  replace: async (ctx, target, attributes) => {
    const changed = await execute(ctx, ReplaceAgent, { input: { ...toTarget(target), attributes } });
    return changed.replaceDirectoryAgent.agent;
  },
  patch: async (ctx, target, operations) => {
    const changed = await execute(ctx, PatchAgent, { input: { ...toTarget(target), operations } });
    return changed.patchDirectoryAgent.agent;
  },
  remove: async (ctx, target) => {
    await execute(ctx, DeleteAgent, { input: toTarget(target) });
  },
};

function toTarget({ id, ...condition }: WriteTarget) {
  return { id: toGlobalId("Agent", id), ...condition };
}
