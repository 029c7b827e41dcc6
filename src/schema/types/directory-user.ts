import { patchDirectoryUser, replaceDirectoryUser } from "../../domain/directory/change-directory-user.ts";
import { createDirectoryUser } from "../../domain/directory/create-directory-user.ts";
import { deleteDirectoryUser } from "../../domain/directory/delete-directory-user.ts";
import { readDirectoryResource } from "../../domain/directory/read-resource.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { DirectoryUser } from "./directory-resource.ts";

const IF_MATCH = "The user's ETag must be one of these.";
const IF_NONE_MATCH = "The user's ETag must not be one of these.";

builder.queryFields((t) => ({
  directoryUser: t.field({
    type: DirectoryUser,
    description: "One member of the workspace. For identity providers and admins.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) =>
      readDirectoryResource(ctx, { type: "User", id: fromGlobalId("id", "User", id), members: "none" }),
  }),
}));

builder.relayMutationField(
  "createDirectoryUser",
  {
    inputFields: (t) => ({
      uuid: t.field({ type: "UUID", description: "The user's id. Default: a new one." }),
      attributes: t.field({ type: "JSON", required: true, description: "The user as a SCIM resource." }),
    }),
  },
  {
    description: "Creates a member of the workspace. For identity providers.",
    resolve: async (_root, { input: { uuid, attributes } }, ctx) => ({
      user: await createDirectoryUser(ctx, { id: uuid, attributes }),
    }),
  },
  { outputFields: (t) => ({ user: t.field({ type: DirectoryUser, resolve: ({ user }) => user }) }) },
);

builder.relayMutationField(
  "replaceDirectoryUser",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      attributes: t.field({ type: "JSON", required: true, description: "The user as a SCIM resource." }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description: "Replaces all attributes of a user. For identity providers.",
    resolve: async (_root, { input: { id, attributes, ifMatch, ifNoneMatch } }, ctx) => {
      const target = { id: fromGlobalId("id", "User", id), ifMatch, ifNoneMatch };
      return { user: await replaceDirectoryUser(ctx, target, attributes) };
    },
  },
  { outputFields: (t) => ({ user: t.field({ type: DirectoryUser, resolve: ({ user }) => user }) }) },
);

builder.relayMutationField(
  "patchDirectoryUser",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      operations: t.field({ type: ["DirectoryOperation"], required: true }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description: "Changes attributes of a user. Applies all operations or none. For identity providers.",
    resolve: async (_root, { input: { id, operations, ifMatch, ifNoneMatch } }, ctx) => {
      const target = { id: fromGlobalId("id", "User", id), ifMatch, ifNoneMatch };
      return { user: await patchDirectoryUser(ctx, target, operations) };
    },
  },
  { outputFields: (t) => ({ user: t.field({ type: DirectoryUser, resolve: ({ user }) => user }) }) },
);

builder.relayMutationField(
  "deleteDirectoryUser",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description: "Removes a user from the workspace. For identity providers.",
    resolve: async (_root, { input: { id, ifMatch, ifNoneMatch } }, ctx) => {
      await deleteDirectoryUser(ctx, { id: fromGlobalId("id", "User", id), ifMatch, ifNoneMatch });
      return { deletedId: id };
    },
  },
  { outputFields: (t) => ({ deletedId: t.exposeID("deletedId") }) },
);
