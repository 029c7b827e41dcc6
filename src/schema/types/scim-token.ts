import { listScimTokens } from "../../auth/scim-tokens/list-scim-tokens.ts";
import { revokeScimToken } from "../../auth/scim-tokens/revoke-scim-token.ts";
import { rotateScimToken } from "../../auth/scim-tokens/rotate-scim-token.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";

const ScimToken = builder.prismaObject("ScimToken", {
  description: "A SCIM token, without its secret.",
  fields: (t) => ({
    id: t.id({ resolve: (token) => toGlobalId("ScimToken", token.id) }),
    uuid: t.expose("id", { type: "UUID" }),
    label: t.exposeString("label", { nullable: true, description: "What the token is for." }),
    last4: t.exposeString("last4", { description: "The last four characters." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "Accurate to a minute.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When the overlap after a rotation ends. Null for other tokens.",
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryFields((t) => ({
  scimTokens: t.field({
    type: [ScimToken],
    description: "The last twenty SCIM tokens, newest first. At most two of them are valid. For admins.",
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
        description: "How long the previous token stays valid, 0 to 86400. Default 3600.",
      }),
    }),
  },
  {
    description: "Creates a SCIM token that replaces the previous one. For owners.",
    resolve: (_root, { input: { label, overlapSeconds } }, ctx) =>
      rotateScimToken(ctx, omitNulls({ label, overlapSeconds })),
  },
  {
    outputFields: (t) => ({
      scimToken: t.field({ type: ScimToken, resolve: (made) => made.scimToken }),
      token: t.exposeString("secret", { description: "The whole token. Shown only once." }),
    }),
  },
);

builder.relayMutationField(
  "revokeScimToken",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Revokes a SCIM token immediately. For owners.",
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
