import {
  deleteDirectoryAgent,
  patchDirectoryAgent,
  replaceDirectoryAgent,
} from "../../domain/directory/change-directory-agent.ts";
import { createDirectoryAgent } from "../../domain/directory/create-directory-agent.ts";
import { readDirectoryResource } from "../../domain/directory/read-resource.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { DirectoryAgent } from "./directory-resource.ts";

const IF_MATCH = "The agent's ETag must be one of these.";
const IF_NONE_MATCH = "The agent's ETag must not be one of these.";

builder.queryFields((t) => ({
  directoryAgent: t.field({
    type: DirectoryAgent,
    description: "One agent as SCIM shows it. For identity providers and admins.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) =>
      readDirectoryResource(ctx, { type: "Agent", id: fromGlobalId("id", "Agent", id), members: "none" }),
  }),
}));

builder.relayMutationField(
  "createDirectoryAgent",
  {
    inputFields: (t) => ({
      uuid: t.field({ type: "UUID", description: "The agent's id. Default: a new one." }),
      attributes: t.field({ type: "JSON", required: true, description: "The agent as a SCIM resource." }),
    }),
  },
  {
    description: "Creates an agent without credentials. For identity providers.",
    resolve: async (_root, { input: { uuid, attributes } }, ctx) => ({
      agent: await createDirectoryAgent(ctx, { id: uuid, attributes }),
    }),
  },
  { outputFields: (t) => ({ agent: t.field({ type: DirectoryAgent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "replaceDirectoryAgent",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      attributes: t.field({ type: "JSON", required: true, description: "The agent as a SCIM resource." }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description:
      "Replaces all attributes of an agent. One that is not active is archived, and its credentials end. For identity providers.",
    resolve: async (_root, { input: { id, attributes, ifMatch, ifNoneMatch } }, ctx) => {
      const target = { id: fromGlobalId("id", "Agent", id), ifMatch, ifNoneMatch };
      return { agent: await replaceDirectoryAgent(ctx, target, attributes) };
    },
  },
  { outputFields: (t) => ({ agent: t.field({ type: DirectoryAgent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "patchDirectoryAgent",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      operations: t.field({ type: ["DirectoryOperation"], required: true }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description: "Changes attributes of an agent. Applies all operations or none. For identity providers.",
    resolve: async (_root, { input: { id, operations, ifMatch, ifNoneMatch } }, ctx) => {
      const target = { id: fromGlobalId("id", "Agent", id), ifMatch, ifNoneMatch };
      return { agent: await patchDirectoryAgent(ctx, target, operations) };
    },
  },
  { outputFields: (t) => ({ agent: t.field({ type: DirectoryAgent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "deleteDirectoryAgent",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description:
      "Archives an agent, ends its credentials, and forgets it as a SCIM resource. For identity providers.",
    resolve: async (_root, { input: { id, ifMatch, ifNoneMatch } }, ctx) => {
      await deleteDirectoryAgent(ctx, { id: fromGlobalId("id", "Agent", id), ifMatch, ifNoneMatch });
      return { deletedId: id };
    },
  },
  { outputFields: (t) => ({ deletedId: t.exposeID("deletedId") }) },
);
