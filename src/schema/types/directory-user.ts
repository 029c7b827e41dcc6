import { patchDirectoryUser, replaceDirectoryUser } from "../../domain/directory/change-directory-user.ts";
import { createDirectoryUser } from "../../domain/directory/create-directory-user.ts";
import { deleteDirectoryUser } from "../../domain/directory/delete-directory-user.ts";
import { readDirectoryResource } from "../../domain/directory/read-resource.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { DirectoryUser } from "./directory-resource.ts";

const IF_MATCH = "ETags of which the user must have one.";
const IF_NONE_MATCH = "ETags of which the user must have none.";

builder.queryFields((t) => ({
  directoryUser: t.field({
    type: DirectoryUser,
    description: "One member of the workspace, for identity providers and admins.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, ctx) =>
      readDirectoryResource(ctx, { type: "User", id: fromGlobalId("id", "User", id), members: "none" }),
  }),
}));

builder.relayMutationField(
  "createDirectoryUser",
  {
    inputFields: (t) => ({
      uuid: t.field({ type: "UUID", description: "The id that it gets; a new one where it is left out." }),
      attributes: t.field({ type: "JSON", required: true, description: "The user as SCIM writes it." }),
    }),
  },
  {
    description: "Makes a member of the workspace. Only an identity provider can.",
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
      attributes: t.field({ type: "JSON", required: true, description: "The user as SCIM writes it." }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description:
      "Puts a user's attributes in the place of all that are there. Only an identity provider can.",
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
    description: "Changes single attributes of a user, all or none. Only an identity provider can.",
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
    description: "Takes a person out of the workspace. Only an identity provider can.",
    resolve: async (_root, { input: { id, ifMatch, ifNoneMatch } }, ctx) => {
      await deleteDirectoryUser(ctx, { id: fromGlobalId("id", "User", id), ifMatch, ifNoneMatch });
      return { deletedId: id };
    },
  },
  { outputFields: (t) => ({ deletedId: t.exposeID("deletedId") }) },
);
