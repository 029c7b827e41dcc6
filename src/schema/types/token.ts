import type { KnownToken } from "../../auth/tokens/find-token.ts";
import { introspectToken } from "../../auth/tokens/introspect-token.ts";
import { revokeToken } from "../../auth/tokens/revoke-token.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";

export const CredentialKind = addEnum(
  "CredentialKind",
  { api_key: "api_key", agent_token: "agent_token", socket_token: "socket_token" } as const,
  "The kinds of credential that agents have.",
);

const TokenIntrospection = builder.objectRef<KnownToken>("TokenIntrospection").implement({
  description: "A valid token. @see RFC 7662.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    kind: t.expose("kind", { type: CredentialKind }),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    scopes: t.exposeStringList("scopes"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryFields((t) => ({
  introspectToken: t.field({
    type: TokenIntrospection,
    nullable: true,
    description: "Describes a token of the workspace. Null if it is unknown, revoked or expired.",
    args: { token: t.arg.string({ required: true }) },
    resolve: (_root, { token }, ctx) => introspectToken(ctx, token),
  }),
}));

builder.relayMutationField(
  "revokeToken",
  { inputFields: (t) => ({ token: t.string({ required: true }) }) },
  {
    description:
      "Revokes the caller's own token or one that the caller minted. Does nothing for any other. @see " +
      "RFC 7009.",
    resolve: async (_root, { input: { token } }, ctx) => {
      await revokeToken(ctx, token);
      return { done: true };
    },
  },
  { outputFields: (t) => ({ done: t.exposeBoolean("done", { description: "Always true." }) }) },
);
