import { createSocketToken } from "../../auth/socket-tokens/create-socket-token.ts";
import { builder } from "../builder.ts";
import { toGlobalId } from "../global-id.ts";

const SocketToken = builder.prismaObject("SocketToken", {
  description: "A token that opens WebSockets, without its secret.",
  fields: (t) => ({
    id: t.id({ resolve: (token) => toGlobalId("SocketToken", token.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    scopes: t.exposeStringList("scopes"),
    singleUse: t.exposeBoolean("singleUse"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
  }),
});

builder.relayMutationField(
  "createSocketToken",
  {
    inputFields: (t) => ({
      scopes: t.stringList({ description: "All of the credential's where it is left out." }),
      singleUse: t.boolean({ description: "Whether it opens one socket only." }),
    }),
  },
  {
    description: "Mints a socket token for 600 seconds.",
    resolve: (_root, { input: { scopes, singleUse } }, ctx) =>
      createSocketToken(ctx, { scopes, ...(typeof singleUse === "boolean" && { singleUse }) }),
  },
  {
    outputFields: (t) => ({
      socketToken: t.field({ type: SocketToken, resolve: (made) => made.socketToken }),
      token: t.exposeString("secret", { description: "The token, shown this once." }),
      expiresIn: t.exposeInt("expiresInSeconds", { description: "Seconds." }),
    }),
  },
);
