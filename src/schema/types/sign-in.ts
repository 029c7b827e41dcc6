import {
  addSignInDomain,
  deleteSignInDomain,
  verifySignInDomain,
} from "../../auth/oidc/change-sign-in-domains.ts";
import { getRecordName, getRecordValue } from "../../auth/oidc/find-verification-record.ts";
import { listSignInDomains, readSignInProvider } from "../../auth/oidc/list-sign-in.ts";
import { deleteSignInProvider, setSignInProvider } from "../../auth/oidc/set-sign-in-provider.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { findUser } from "../../domain/users/read-user.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, fromOptionalGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";
import { User } from "./user.ts";

const SUDO = "For admins who entered their password recently.";

const SignInProvider = builder.prismaObject("SignInProvider", {
  description: "The OpenID Connect provider at which the workspace's people sign in, without its secret.",
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => toGlobalId("SignInProvider", id) }),
    uuid: t.expose("id", { type: "UUID" }),
    issuer: t.exposeString("issuer"),
    clientId: t.exposeString("clientId"),
    hasClientSecret: t.boolean({ resolve: ({ sealedClientSecret }) => sealedClientSecret !== null }),
    createsViewers: t.exposeBoolean("createsViewers", {
      description:
        "Whether an unknown person becomes a viewer, unless an identity provider manages people by SCIM.",
    }),
    servesOwners: t.exposeBoolean("servesOwners", {
      description: "Whether owners can sign in by it: an owner has set it.",
    }),
    enforced: t.exposeBoolean("enforced", {
      description: "Whether members log in by it alone, and not with passwords.",
    }),
    breakGlassOwner: t.field({
      type: User,
      nullable: true,
      description:
        "The owner whose password works nevertheless, for when the provider is down. If this owner can't log in, each owner's password works.",
      resolve: ({ breakGlassUserId }, _args, ctx) => findUser(ctx, breakGlassUserId),
    }),
    updatedBy: t.field({ type: "Actor", resolve: ({ updatedBy }) => toActorRecord(updatedBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const SignInDomain = builder.prismaObject("SignInDomain", {
  description: "A domain of email addresses. It counts once it is verified, for one workspace only.",
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => toGlobalId("SignInDomain", id) }),
    uuid: t.expose("id", { type: "UUID" }),
    domain: t.exposeString("domain"),
    recordName: t.string({
      description: "The name of the DNS record of type TXT that verifies it.",
      resolve: ({ domain }) => getRecordName(domain),
    }),
    recordValue: t.string({ resolve: ({ token }) => getRecordValue(token) }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    verifiedAt: t.expose("verifiedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryFields((t) => ({
  signInProvider: t.field({
    type: SignInProvider,
    nullable: true,
    description: "The provider at which the workspace's people sign in. For admins.",
    resolve: (_root, _args, ctx) => readSignInProvider(ctx),
  }),
  signInDomains: t.field({
    type: [SignInDomain],
    description: "The workspace's domains of email addresses, by name. For admins.",
    complexity: { field: 1, multiplier: LIMITS.signInDomains },
    resolve: (_root, _args, ctx) => listSignInDomains(ctx),
  }),
}));

builder.relayMutationField(
  "setSignInProvider",
  {
    inputFields: (t) => ({
      issuer: t.string({
        required: true,
        description:
          "Exactly as the provider's discovery document names it. With another one, all identities are forgotten.",
      }),
      clientId: t.string({ required: true }),
      clientSecret: t.string({
        description:
          "Null for a public client. Absent keeps the one before, with the same issuer and client.",
      }),
      createsViewers: t.boolean({ description: "Default false." }),
      enforced: t.boolean({
        description:
          "Whether members log in by it alone. Ends all sessions that began with a password, except the break-glass owner's and the caller's. Absent keeps it.",
      }),
      breakGlassOwnerId: t.id({
        description:
          "The owner whose password works nevertheless; each use is mailed to all owners. Absent keeps it; the first time it is the caller.",
      }),
    }),
  },
  {
    description: `Sets the provider at which people sign in. ${SUDO}`,
    resolve: async (_root, { input }, ctx) => {
      const { issuer, clientId, clientSecret, createsViewers, enforced } = input;
      const owner = fromOptionalGlobalId("breakGlassOwnerId", "User", input.breakGlassOwnerId);
      return {
        provider: await setSignInProvider(ctx, {
          issuer,
          clientId,
          ...(clientSecret !== undefined && { clientSecret }),
          ...omitNulls({ createsViewers, enforced, breakGlassOwnerId: owner }),
        }),
      };
    },
  },
  {
    outputFields: (t) => ({
      provider: t.field({ type: SignInProvider, resolve: ({ provider }) => provider }),
    }),
  },
);

builder.relayMutationField(
  "deleteSignInProvider",
  { inputFields: () => ({}) },
  {
    description: `Deletes the provider, ends the sessions that began there, and forgets who signed in by it. ${SUDO}`,
    resolve: async (_root, _args, ctx) => ({ provider: await deleteSignInProvider(ctx) }),
  },
  {
    outputFields: (t) => ({
      provider: t.field({ type: SignInProvider, nullable: true, resolve: ({ provider }) => provider }),
    }),
  },
);

builder.relayMutationField(
  "addSignInDomain",
  { inputFields: (t) => ({ domain: t.string({ required: true }) }) },
  {
    description: `Adds a domain of email addresses, which counts once it is verified. ${SUDO}`,
    resolve: async (_root, { input: { domain } }, ctx) => ({
      domain: await addSignInDomain(ctx, { domain }),
    }),
  },
  { outputFields: (t) => ({ domain: t.field({ type: SignInDomain, resolve: ({ domain }) => domain }) }) },
);

builder.relayMutationField(
  "verifySignInDomain",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: `Looks for the DNS record of a domain, and verifies the domain by it. ${SUDO}`,
    resolve: async (_root, { input: { id } }, ctx) => ({
      domain: await verifySignInDomain(ctx, { id: fromGlobalId("id", "SignInDomain", id) }),
    }),
  },
  { outputFields: (t) => ({ domain: t.field({ type: SignInDomain, resolve: ({ domain }) => domain }) }) },
);

builder.relayMutationField(
  "deleteSignInDomain",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: `Deletes a domain, so that another workspace can verify it. ${SUDO}`,
    resolve: async (_root, { input: { id } }, ctx) => ({
      domain: await deleteSignInDomain(ctx, { id: fromGlobalId("id", "SignInDomain", id) }),
    }),
  },
  { outputFields: (t) => ({ domain: t.field({ type: SignInDomain, resolve: ({ domain }) => domain }) }) },
);
