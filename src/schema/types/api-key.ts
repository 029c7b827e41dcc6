import type { ApiKeyView } from "../../auth/api-keys/api-key-view.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { listApiKeys } from "../../auth/api-keys/list-api-keys.ts";
import { readApiKey } from "../../auth/api-keys/read-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../auth/api-keys/rotate-api-key.ts";
import { updateApiKey } from "../../auth/api-keys/update-api-key.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import type { PageRow } from "../../domain/kernel/page.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";

const ApiKey = builder.objectRef<ApiKeyView | PageRow<ApiKeyView>>("ApiKey").implement({
  description: "An API key of the workspace, without its secret.",
  fields: (t) => ({
    id: t.id({ resolve: (key) => toGlobalId("ApiKey", key.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    name: t.exposeString("name", { description: "What it is for." }),
    prefix: t.string({
      description: "How the key begins, up to its dot. No secret.",
      resolve: (key) => `agk_${key.publicId}`,
    }),
    last4: t.exposeString("last4", { description: "How it ends." }),
    scopes: t.exposeStringList("scopes", { description: "What it may do." }),
    agentUuid: t.expose("agentId", { type: "UUID", description: "The agent that it acts as." }),
    agentHandle: t.exposeString("agentHandle"),
    agentName: t.exposeString("agentName"),
    primary: t.exposeBoolean("primary", { description: "Whether it is the workspace's primary key." }),
    ipAllowlist: t.exposeStringList("ipAllowlist", {
      description: "Addresses and networks that it may be used from; empty for everywhere.",
    }),
    createdBy: t.field({ type: "Actor", resolve: (key) => toActorRecord(key.createdBy) }),
    creatorSuspended: t.exposeBoolean("creatorSuspended", {
      description: "Whether the person who made it is suspended or no member any more.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When it ends by itself; after a rotation, when its overlap ends.",
    }),
    lastUsedAt: t.expose("lastUsedAt", { type: "DateTime", nullable: true, description: "To the minute." }),
    lastUsedIp: t.exposeString("lastUsedIp", { nullable: true, description: "Where from." }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
    revokedReason: t.exposeString("revokedReason", {
      nullable: true,
      description: "`revoked`, `rotated` or `creator_suspended`.",
    }),
    rotatedToUuid: t.expose("rotatedToId", {
      type: "UUID",
      nullable: true,
      description: "The key that took its place.",
    }),
  }),
});

const ApiKeyFilter = builder.inputType("ApiKeyFilter", {
  description: "What listed API keys have in common.",
  fields: (t) => ({ alive: t.boolean({ description: "Whether they work." }) }),
});

builder.queryFields((t) => ({
  apiKey: t.field({
    type: ApiKey,
    description: "One API key, dead or alive. For admins.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readApiKey(ctx, fromGlobalId("id", "ApiKey", id)),
  }),
  apiKeys: t.connection({
    type: ApiKey,
    description: "The workspace's API keys, newest first. For admins.",
    args: { filter: t.arg({ type: ApiKeyFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listApiKeys(ctx, page, { alive: filter?.alive })),
  }),
}));

builder.relayMutationField(
  "createApiKey",
  {
    inputFields: (t) => ({
      name: t.string({ required: true, description: "What it is for: 1 to 100 characters." }),
      scopes: t.stringList({ required: true, description: "What it may do: one at least." }),
      agentHandle: t.string({ description: "The agent that it acts as; a new one where it is left out." }),
      ipAllowlist: t.stringList({
        description: "Addresses and networks, such as 10.0.0.0/8; everywhere where it is left out.",
      }),
      expiresAt: t.field({ type: "DateTime", description: "In the future; never where it is left out." }),
    }),
  },
  {
    description: "Creates an API key. For admins.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, name, scopes, ...fields } = input;
      const { apiKey, secret } = await createApiKey(ctx, { name, scopes, ...omitNulls(fields) });
      return { apiKeyId: apiKey.id, secret };
    },
  },
  {
    outputFields: (t) => ({
      apiKey: t.field({ type: ApiKey, resolve: readChanged }),
      key: t.exposeString("secret", { description: "The whole key, shown this once." }),
    }),
  },
);

builder.relayMutationField(
  "updateApiKey",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      name: t.string({ description: "1 to 100 characters." }),
      scopes: t.stringList({ description: "Some of those that it holds: scopes can only be taken from it." }),
      ipAllowlist: t.stringList({ description: "Addresses and networks; an empty list for everywhere." }),
    }),
  },
  {
    description: "Changes an API key: what is given of it. For admins.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, ...fields } = input;
      const apiKeyId = fromGlobalId("id", "ApiKey", id);
      await updateApiKey(ctx, apiKeyId, omitNulls(fields));
      return { apiKeyId };
    },
  },
  { outputFields: (t) => ({ apiKey: t.field({ type: ApiKey, resolve: readChanged }) }) },
);

builder.relayMutationField(
  "rotateApiKey",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      overlapSeconds: t.int({
        description: "How long the old key works on, 0 to 2592000; 86400 where it is left out.",
      }),
      expiresAt: t.field({
        type: "DateTime",
        description: "Of the new key; the old one's where it is left out.",
      }),
    }),
  },
  {
    description: "Makes the key that takes another's place; its tokens live on. For admins.",
    resolve: async (_root, { input: { id, overlapSeconds, expiresAt } }, ctx) => {
      const rotatedId = fromGlobalId("id", "ApiKey", id);
      const { apiKey, secret } = await rotateApiKey(ctx, rotatedId, omitNulls({ overlapSeconds, expiresAt }));
      return { apiKeyId: apiKey.id, rotatedId, secret };
    },
  },
  {
    outputFields: (t) => ({
      apiKey: t.field({ type: ApiKey, description: "The new key.", resolve: readChanged }),
      rotatedApiKey: t.field({
        type: ApiKey,
        description: "The old key.",
        resolve: ({ rotatedId }, _args, ctx) => readApiKey(ctx, rotatedId),
      }),
      key: t.exposeString("secret", { description: "The whole new key, shown this once." }),
    }),
  },
);

builder.relayMutationField(
  "revokeApiKey",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Ends an API key, and every token of its lineage. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => {
      const apiKeyId = fromGlobalId("id", "ApiKey", id);
      await revokeApiKey(ctx, apiKeyId);
      return { apiKeyId };
    },
  },
  { outputFields: (t) => ({ apiKey: t.field({ type: ApiKey, resolve: readChanged }) }) },
);

function readChanged({ apiKeyId }: { apiKeyId: string }, _args: object, ctx: Ctx): Promise<ApiKeyView> {
  return readApiKey(ctx, apiKeyId);
}
