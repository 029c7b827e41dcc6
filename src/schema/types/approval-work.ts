import { cancelApproval } from "../../domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../domain/approvals/deny-approval.ts";
import { grantApproval } from "../../domain/approvals/grant-approval.ts";
import { revokeApproval } from "../../domain/approvals/revoke-approval.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { Approval } from "./approval.ts";

builder.relayMutationField(
  "grantApproval",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      comment: t.string({ description: "1 to 2,000 characters." }),
      arguments: t.field({
        type: "JSON",
        description:
          "An object in the place of the agent's arguments, if `canEdit`. The policies are asked again.",
      }),
      requestHash: t.string({
        description:
          "The `requestHash` that you saw. Fails if it is another one now. Required with `canEdit`.",
      }),
    }),
  },
  {
    description: "Approves a request. For people with the approval's role.",
    resolve: async (_root, { input: { clientMutationId: _id, id, arguments: args, ...grant } }, ctx) => ({
      approval: await grantApproval(ctx, {
        ...grant,
        id: fromGlobalId("id", "Approval", id),
        // grantApproval checks that it is an object.
        arguments: args as Record<string, unknown> | null | undefined,
      }),
    }),
  },
  { outputFields: (t) => ({ approval: t.field({ type: Approval, resolve: ({ approval }) => approval }) }) },
);

builder.relayMutationField(
  "denyApproval",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      comment: t.string({ required: true, description: "Why, for the agent: 1 to 2,000 characters." }),
      requestHash: t.string({
        description: "The `requestHash` that you saw. Fails if it is another one now.",
      }),
    }),
  },
  {
    description: "Denies a request. For people with the approval's role.",
    resolve: async (_root, { input: { id, comment, requestHash } }, ctx) => ({
      approval: await denyApproval(ctx, { id: fromGlobalId("id", "Approval", id), comment, requestHash }),
    }),
  },
  { outputFields: (t) => ({ approval: t.field({ type: Approval, resolve: ({ approval }) => approval }) }) },
);

builder.relayMutationField(
  "revokeApproval",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ required: true, description: "1 to 2,000 characters." }),
    }),
  },
  {
    description: "Takes an approval back. For people with the approval's role.",
    resolve: async (_root, { input: { id, reason } }, ctx) => ({
      approval: await revokeApproval(ctx, { id: fromGlobalId("id", "Approval", id), reason }),
    }),
  },
  { outputFields: (t) => ({ approval: t.field({ type: Approval, resolve: ({ approval }) => approval }) }) },
);

builder.relayMutationField(
  "cancelApproval",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      isRepeatable: t.boolean({
        description: "Whether it is no error that it was cancelled already. Default true.",
      }),
    }),
  },
  {
    description: "Takes back the calling agent's own question. Needs `gateway:check`.",
    resolve: async (_root, { input: { id, isRepeatable } }, ctx) => ({
      approval: await cancelApproval(ctx, {
        ...omitNulls({ isRepeatable }),
        id: fromGlobalId("id", "Approval", id),
      }),
    }),
  },
  { outputFields: (t) => ({ approval: t.field({ type: Approval, resolve: ({ approval }) => approval }) }) },
);
