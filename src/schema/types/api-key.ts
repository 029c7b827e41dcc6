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
    name: t.exposeString("name", { description: "What the key is for." }),
    prefix: t.string({
      description: "The start of the key, up to its dot. Not secret.",
      resolve: (key) => `agk_${key.publicId}`,
    }),
    last4: t.exposeString("last4", { description: "The last four characters." }),
    scopes: t.exposeStringList("scopes", { description: "What the key may do." }),
    agentUuid: t.expose("agentId", { type: "UUID", description: "The agent that the key acts as." }),
    agentHandle: t.exposeString("agentHandle"),
    agentName: t.exposeString("agentName"),
    primary: t.exposeBoolean("primary", { description: "Whether it is the workspace's primary key." }),
    ipAllowlist: t.exposeStringList("ipAllowlist", {
      description: "Addresses and networks from which the key is accepted. Empty accepts all.",
    }),
    createdBy: t.field({ type: "Actor", resolve: (key) => toActorRecord(key.createdBy) }),
    creatorSuspended: t.exposeBoolean("creatorSuspended", {
      description: "Whether the person who created the key is suspended or no longer a member.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When the key expires. After a rotation: when the overlap ends.",
    }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "Accurate to a minute.",
    }),
    lastUsedIp: t.exposeString("lastUsedIp", { nullable: true, description: "The address of the last use." }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
    revokedReason: t.exposeString("revokedReason", {
      nullable: true,
      description: "`revoked`, `rotated`, `creator_suspended` or `creator_deleted`.",
    }),
    rotatedToUuid: t.expose("rotatedToId", {
      type: "UUID",
      nullable: true,
      description: "The key that replaced this one.",
    }),
  }),
});

const ApiKeyFilter = builder.inputType("ApiKeyFilter", {
  description: "Filters API keys.",
  fields: (t) => ({
    valid: t.boolean({ description: "True for valid keys, false for revoked and expired ones." }),
  }),
});

builder.queryFields((t) => ({
  apiKey: t.field({
    type: ApiKey,
    description: "One API key, valid or not. For admins.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) => readApiKey(ctx, fromGlobalId("id", "ApiKey", id)),
  }),
  apiKeys: t.connection({
    type: ApiKey,
    description: "The workspace's API keys, newest first. For admins.",
    args: { filter: t.arg({ type: ApiKeyFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listApiKeys(ctx, page, { valid: filter?.valid })),
  }),
}));

builder.relayMutationField(
  "createApiKey",
  {
    inputFields: (t) => ({
      name: t.string({ required: true, description: "What the key is for, 1 to 100 characters." }),
      scopes: t.stringList({ required: true, description: "What the key may do, at least one scope." }),
      agentHandle: t.string({
        description: "The agent that the key acts as. Left out, a new agent is created.",
      }),
      ipAllowlist: t.stringList({
        description: "Addresses and networks, such as 10.0.0.0/8. Default: all are accepted.",
      }),
      expiresAt: t.field({
        type: "DateTime",
        description: "In the future. Left out, the key does not expire.",
      }),
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
      key: t.exposeString("secret", { description: "The whole key. Shown only once." }),
    }),
  },
);

builder.relayMutationField(
  "updateApiKey",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      name: t.string({ description: "1 to 100 characters." }),
      scopes: t.stringList({
        description: "A subset of the key's scopes. Scopes can be removed, not added.",
      }),
      ipAllowlist: t.stringList({ description: "Addresses and networks. An empty list accepts all." }),
    }),
  },
  {
    description: "Updates an API key. Fields that are left out don't change. For admins.",
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
        description: "How long the old key stays valid, 0 to 2592000. Default 86400.",
      }),
      expiresAt: t.field({
        type: "DateTime",
        description: "When the new key expires. Default: when the old key would.",
      }),
    }),
  },
  {
    description: "Creates a key that replaces another. Tokens of the old key stay valid. For admins.",
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
      key: t.exposeString("secret", { description: "The whole new key. Shown only once." }),
    }),
  },
);

builder.relayMutationField(
  "revokeApiKey",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Revokes an API key and all tokens of its lineage. For admins.",
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
