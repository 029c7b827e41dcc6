import { createSocketToken } from "../../auth/socket-tokens/create-socket-token.ts";
import { listSocketTokens } from "../../auth/socket-tokens/list-socket-tokens.ts";
import { builder } from "../builder.ts";
import { toGlobalId } from "../global-id.ts";
import { offsetComplexity, toTakeSkip } from "../offset-page.ts";

const SocketToken = builder.prismaObject("SocketToken", {
  description: "A token that opens WebSockets, without its secret.",
  fields: (t) => ({
    id: t.id({ resolve: (token) => toGlobalId("SocketToken", token.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agentName: t.string({
      select: { agent: { select: { name: true } } },
      resolve: ({ agent }) => agent.name,
    }),
    apiKeyUuid: t.expose("apiKeyId", {
      type: "UUID",
      nullable: true,
      description: "The API key that the token depends on. Null if it depends on a workload's trust.",
    }),
    agentTokenUuid: t.expose("agentTokenId", {
      type: "UUID",
      nullable: true,
      description: "The agent token that minted it. Null if the API key did.",
    }),
    scopes: t.exposeStringList("scopes"),
    singleUse: t.exposeBoolean("singleUse"),
    usedAt: t.expose("usedAt", {
      type: "DateTime",
      nullable: true,
      description: "When a single-use token opened its socket.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
  }),
});

builder.queryFields((t) => ({
  socketTokens: t.prismaField({
    type: [SocketToken],
    description: "The workspace's socket tokens of the last day, newest first. For admins.",
    args: {
      first: t.arg.int({ defaultValue: 50, description: "1 to 100." }),
      offset: t.arg.int({ defaultValue: 0, description: "0 to 100000." }),
    },
    complexity: offsetComplexity,
    resolve: (query, _root, args, ctx) => listSocketTokens(ctx, { ...query, ...toTakeSkip(args) }),
  }),
}));

builder.relayMutationField(
  "createSocketToken",
  {
    inputFields: (t) => ({
      scopes: t.stringList({ description: "Default: all scopes of the credential." }),
      singleUse: t.boolean({ description: "Whether the token opens only one socket." }),
    }),
  },
  {
    description: "Mints a socket token that is valid for 600 seconds.",
    resolve: (_root, { input: { scopes, singleUse } }, ctx) =>
      createSocketToken(ctx, { scopes, ...(typeof singleUse === "boolean" && { singleUse }) }),
  },
  {
    outputFields: (t) => ({
      socketToken: t.field({ type: SocketToken, resolve: (made) => made.socketToken }),
      token: t.exposeString("secret", { description: "The token. Shown only once." }),
      expiresIn: t.exposeInt("expiresInSeconds", { description: "Seconds." }),
    }),
  },
);
