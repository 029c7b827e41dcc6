import { createWorkloadTrust } from "../../auth/workloads/create-workload-trust.ts";
import { deleteWorkloadTrust } from "../../auth/workloads/delete-workload-trust.ts";
import { listWorkloadTrusts } from "../../auth/workloads/list-workload-trusts.ts";
import { updateWorkloadTrust } from "../../auth/workloads/update-workload-trust.ts";
import type { ClaimPattern } from "../../auth/workloads/workload-trust-input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";

const SUDO = "For admins who entered their password within the last 20 minutes.";
const { min, max } = LIMITS.workloadTokenSeconds;

const Pattern = builder.objectRef<ClaimPattern>("ClaimPattern").implement({
  description: "What a claim of an issuer's token must be.",
  fields: (t) => ({
    claim: t.exposeString("claim", { description: "The name of a claim at the top level, such as `sub`." }),
    pattern: t.exposeString("pattern", { description: "A glob, in which `*` stands for any text." }),
  }),
});

const PatternInput = builder.inputType("ClaimPatternInput", {
  description: "What a claim of an issuer's token must be.",
  fields: (t) => ({
    claim: t.string({ required: true, description: "The name of a claim at the top level, such as `sub`." }),
    pattern: t.string({ required: true, description: "A glob, in which `*` stands for any text." }),
  }),
});

const WorkloadTrust = builder.prismaObject("WorkloadTrust", {
  description: "An issuer whose tokens an agent's workloads exchange for access tokens at /oauth/token.",
  fields: (t) => ({
    id: t.id({ resolve: (trust) => toGlobalId("WorkloadTrust", trust.id) }),
    uuid: t.expose("id", { type: "UUID", description: "What workloads send as client_id." }),
    name: t.exposeString("name"),
    agentUuid: t.expose("agentId", { type: "UUID" }),
    agentName: t.string({
      select: { agent: { select: { name: true } } },
      resolve: ({ agent }) => agent.name,
    }),
    issuer: t.exposeString("issuer", { description: "The claim `iss` of its tokens." }),
    audience: t.exposeString("audience", { description: "The only value of the claim `aud`." }),
    claimPatterns: t.field({
      type: [Pattern],
      description: "All of them must match.",
      select: { claimPatterns: true },
      // Written by createWorkloadTrust and updateWorkloadTrust alone.
      resolve: ({ claimPatterns }) => claimPatterns as ClaimPattern[],
    }),
    jwksUri: t.exposeString("jwksUri", {
      nullable: true,
      description: "Where the issuer's keys are. Null for its discovery document, or for `jwks`.",
    }),
    jwks: t.string({
      nullable: true,
      description: "The issuer's public keys, as JSON, for an issuer that can't be reached.",
      select: { jwks: true },
      resolve: ({ jwks }) => (jwks === null ? null : JSON.stringify(jwks)),
    }),
    scopes: t.exposeStringList("scopes", { description: "What its access tokens may do." }),
    lifetimeSeconds: t.exposeInt("lifetimeSeconds", { description: "How long its access tokens live." }),
    reusable: t.exposeBoolean("reusable", {
      description: "Whether a token of the issuer may be exchanged more than once until it expires.",
    }),
    enabled: t.boolean({
      select: { disabledAt: true },
      resolve: ({ disabledAt }) => disabledAt === null,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    lastUsedAt: t.expose("lastUsedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryFields((t) => ({
  workloadTrusts: t.prismaField({
    type: [WorkloadTrust],
    description: "The issuers that the workspace trusts, newest first, a hundred at most. For admins.",
    complexity: { field: 1, multiplier: LIMITS.workloadTrusts },
    resolve: (query, _root, _args, ctx) => listWorkloadTrusts(ctx, query),
  }),
}));

builder.relayMutationField(
  "createWorkloadTrust",
  {
    inputFields: (t) => ({
      name: t.string({ required: true, description: "1 to 100 characters." }),
      agentHandle: t.string({ required: true, description: "The agent that workloads act as." }),
      issuer: t.string({ required: true, description: "The claim `iss`, exactly." }),
      audience: t.string({ required: true, description: "The claim `aud`, exactly." }),
      claimPatterns: t.field({
        type: [PatternInput],
        required: true,
        description: "Up to ten. One must be for `sub`, and not begin with a star.",
      }),
      jwksUri: t.string({ description: "Default: what the issuer's discovery document says." }),
      jwks: t.string({ description: "The issuer's public keys, as JSON, instead of asking it." }),
      scopes: t.stringList({ required: true, description: "What access tokens may do, at least one scope." }),
      lifetimeSeconds: t.int({ description: `Of access tokens, ${min} to ${max}. Default ${max}.` }),
      reusable: t.boolean({
        description: "Whether a token of the issuer may be exchanged more than once. Default: false.",
      }),
    }),
  },
  {
    description: `Trusts an issuer: its tokens become access tokens of an agent. ${SUDO}`,
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, name, agentHandle, issuer, audience, claimPatterns, scopes } = input;
      const { jwksUri, jwks, lifetimeSeconds, reusable } = input;
      return createWorkloadTrust(ctx, {
        name,
        agentHandle,
        issuer,
        audience,
        claimPatterns,
        scopes,
        ...omitNulls({ jwksUri, jwks, lifetimeSeconds, reusable }),
      });
    },
  },
  { outputFields: (t) => ({ trust: t.field({ type: WorkloadTrust, resolve: (trust) => trust }) }) },
);

builder.relayMutationField(
  "updateWorkloadTrust",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      name: t.string(),
      issuer: t.string(),
      audience: t.string(),
      claimPatterns: t.field({ type: [PatternInput] }),
      jwksUri: t.string({ description: "Null: the issuer's discovery document, or `jwks`." }),
      jwks: t.string({ description: "Null: the issuer is asked." }),
      scopes: t.stringList(),
      lifetimeSeconds: t.int({ description: `${min} to ${max}.` }),
      reusable: t.boolean(),
      enabled: t.boolean(),
    }),
  },
  {
    description: `Changes a trust. Whatever is changed but its name, its access tokens are revoked. ${SUDO}`,
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, jwksUri, jwks, ...fields } = input;
      return updateWorkloadTrust(ctx, fromGlobalId("id", "WorkloadTrust", id), {
        ...omitNulls(fields),
        ...(jwksUri !== undefined && { jwksUri }),
        ...(jwks !== undefined && { jwks }),
      });
    },
  },
  { outputFields: (t) => ({ trust: t.field({ type: WorkloadTrust, resolve: (trust) => trust }) }) },
);

builder.relayMutationField(
  "deleteWorkloadTrust",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: `Deletes a trust, and revokes its access tokens. ${SUDO}`,
    resolve: async (_root, { input: { id } }, ctx) => {
      const uuid = fromGlobalId("id", "WorkloadTrust", id);
      await deleteWorkloadTrust(ctx, uuid);
      return { deletedId: toGlobalId("WorkloadTrust", uuid) };
    },
  },
  { outputFields: (t) => ({ deletedId: t.exposeID("deletedId") }) },
);
