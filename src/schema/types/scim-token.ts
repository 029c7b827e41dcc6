import { listScimTokens } from "../../auth/scim-tokens/list-scim-tokens.ts";
import { revokeScimToken } from "../../auth/scim-tokens/revoke-scim-token.ts";
import { rotateScimToken } from "../../auth/scim-tokens/rotate-scim-token.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";

const ScimToken = builder.prismaObject("ScimToken", {
  description: "A token of the identity provider, without its secret.",
  fields: (t) => ({
    id: t.id({ resolve: (token) => toGlobalId("ScimToken", token.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    label: t.exposeString("label", { nullable: true, description: "What it is for." }),
    last4: t.exposeString("last4", { description: "How it ends." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    lastUsedAt: t.expose("lastUsedAt", { type: "DateTime", nullable: true, description: "To the minute." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Only for one that was rotated: when its overlap ends.",
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryFields((t) => ({
  scimTokens: t.field({
    type: [ScimToken],
    description: "The last twenty SCIM tokens, newest first; at most two of them work. For admins.",
    complexity: { field: 1, multiplier: 20 },
    resolve: (_root, _args, ctx) => listScimTokens(ctx),
  }),
}));

builder.relayMutationField(
  "rotateScimToken",
  {
    inputFields: (t) => ({
      label: t.string({ description: "1 to 100 characters." }),
      overlapSeconds: t.int({
        description: "How long the one before works on, 0 to 86400; 3600 where it is left out.",
      }),
    }),
  },
  {
    description: "Makes the workspace's next SCIM token. For owners.",
    resolve: (_root, { input: { label, overlapSeconds } }, ctx) =>
      rotateScimToken(ctx, omitNulls({ label, overlapSeconds })),
  },
  {
    outputFields: (t) => ({
      scimToken: t.field({ type: ScimToken, resolve: (made) => made.scimToken }),
      token: t.exposeString("secret", { description: "The whole token, shown this once." }),
    }),
  },
);

builder.relayMutationField(
  "revokeScimToken",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Ends a SCIM token at once. For owners.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      scimToken: await revokeScimToken(ctx, fromGlobalId("id", "ScimToken", id)),
    }),
  },
  {
    outputFields: (t) => ({
      scimToken: t.field({ type: ScimToken, resolve: ({ scimToken }) => scimToken }),
    }),
  },
);
