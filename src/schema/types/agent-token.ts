import { createAgentToken } from "../../auth/agent-tokens/create-agent-token.ts";
import { listAgentTokens } from "../../auth/agent-tokens/list-agent-tokens.ts";
import { revokeAgentToken } from "../../auth/agent-tokens/revoke-agent-token.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, fromOptionalGlobalId, toGlobalId } from "../global-id.ts";
import { offsetComplexity, toTakeSkip } from "../offset-page.ts";
import { AgentKindEnum } from "./agent.ts";

const AgentToken = builder.prismaObject("AgentToken", {
  description: "An agent's access token, without its secret.",
  fields: (t) => ({
    id: t.id({ resolve: (token) => toGlobalId("AgentToken", token.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agentName: t.string({
      select: { agent: { select: { name: true } } },
      resolve: ({ agent }) => agent.name,
    }),
    apiKeyUuid: t.expose("apiKeyId", {
      type: "UUID",
      nullable: true,
      description: "The key that minted it. Null if a workload's trust did.",
    }),
    trustUuid: t.expose("trustId", {
      type: "UUID",
      nullable: true,
      description: "The workload's trust that minted it. Null if an API key did.",
    }),
    name: t.exposeString("name", { nullable: true }),
    scopes: t.exposeStringList("scopes", {
      description: "Only those that the API key or the trust still has are in effect.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "Accurate to a minute.",
    }),
  }),
});

builder.queryFields((t) => ({
  agentTokens: t.prismaField({
    type: [AgentToken],
    description: "The agent tokens that the caller may see, newest first.",
    args: {
      first: t.arg.int({ defaultValue: 50, description: "1 to 100." }),
      offset: t.arg.int({ defaultValue: 0, description: "0 to 100000." }),
      agentId: t.arg.id({ description: "Only tokens of this agent." }),
    },
    complexity: offsetComplexity,
    resolve: (query, _root, { agentId, ...page }, ctx) =>
      listAgentTokens(
        ctx,
        { ...query, ...toTakeSkip(page) },
        fromOptionalGlobalId("agentId", "Agent", agentId),
      ),
  }),
}));

const AgentReference = builder.inputType("AgentReference", {
  description: "An agent by its handle. It is created if it does not exist.",
  fields: (t) => ({
    handle: t.string({ required: true }),
    name: t.string(),
    kind: t.field({ type: AgentKindEnum }),
  }),
});

builder.relayMutationField(
  "createAgentToken",
  {
    inputFields: (t) => ({
      agent: t.field({ type: AgentReference, description: "Default: the API key's own agent." }),
      scopes: t.stringList({ description: "Default: all scopes of the API key." }),
      name: t.string(),
      expiresIn: t.int({ description: "Seconds, 60 to 2592000. Default 2592000." }),
      revokeOldest: t.boolean({
        description:
          "If the agent already has 1,000 valid tokens of this key: revokes the oldest instead of failing.",
      }),
    }),
  },
  {
    description: "Mints an access token. Requires an API key.",
    resolve: (_root, { input: { agent, scopes, name, expiresIn, revokeOldest } }, ctx) =>
      createAgentToken(ctx, { agent, scopes, name, expiresIn, revokeOldest }),
  },
  {
    outputFields: (t) => ({
      agentToken: t.field({ type: AgentToken, resolve: (made) => made.agentToken }),
      token: t.exposeString("secret", { description: "The token. Shown only once." }),
      expiresIn: t.exposeInt("expiresInSeconds", { description: "Seconds." }),
    }),
  },
);

builder.relayMutationField(
  "revokeAgentToken",
  {
    inputFields: (t) => ({
      id: t.id({ required: true, description: "A token's id, or `current` for the caller's own." }),
    }),
  },
  {
    description: "Revokes an access token and every socket token that it minted.",
    resolve: async (_root, { input: { id } }, ctx) => {
      const { actor } = ctx;
      const isCurrent = id === "current";
      if (isCurrent && (actor.type !== "agent" || actor.credential.kind !== "agent_token")) {
        throw new DomainError(
          "not_found",
          "The request is not authenticated with an agent token. Name a token by its id.",
        );
      }
      const current = actor.type === "agent" ? actor.credential.id : "";
      const uuid = isCurrent ? current : fromGlobalId("id", "AgentToken", id);
      await revokeAgentToken(ctx, uuid);
      return { revokedId: toGlobalId("AgentToken", uuid) };
    },
  },
  { outputFields: (t) => ({ revokedId: t.exposeID("revokedId") }) },
);
