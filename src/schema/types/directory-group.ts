import { patchDirectoryGroup, replaceDirectoryGroup } from "../../domain/directory/change-directory-group.ts";
import { createDirectoryGroup } from "../../domain/directory/create-directory-group.ts";
import { deleteDirectoryGroup } from "../../domain/directory/delete-directory-group.ts";
import { mapDirectoryGroup } from "../../domain/directory/map-directory-group.ts";
import { readDirectoryResource } from "../../domain/directory/read-resource.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { DirectoryGroup } from "./directory-resource.ts";
import { RoleEnum } from "./user.ts";

const IF_MATCH = "ETags of which the group must have one.";
const IF_NONE_MATCH = "ETags of which the group must have none.";

builder.queryFields((t) => ({
  directoryGroup: t.field({
    type: DirectoryGroup,
    description: "One group of members, for identity providers and admins.",
    args: {
      id: t.arg.id({ required: true }),
      members: t.arg.boolean({
        defaultValue: true,
        required: true,
        description: "Whether it shows its members.",
      }),
    },
    resolve: (_root, { id, members }, ctx) =>
      readDirectoryResource(ctx, {
        type: "Group",
        id: fromGlobalId("id", "Group", id),
        members: members ? "all" : "none",
      }),
  }),
}));

builder.relayMutationField(
  "createDirectoryGroup",
  {
    inputFields: (t) => ({
      uuid: t.field({ type: "UUID", description: "The id that it gets; a new one where it is left out." }),
      attributes: t.field({ type: "JSON", required: true, description: "The group as SCIM writes it." }),
    }),
  },
  {
    description: "Makes a group. Only an identity provider can.",
    resolve: async (_root, { input: { uuid, attributes } }, ctx) => ({
      group: await createDirectoryGroup(ctx, { id: uuid, attributes }),
    }),
  },
  { outputFields: (t) => ({ group: t.field({ type: DirectoryGroup, resolve: ({ group }) => group }) }) },
);

builder.relayMutationField(
  "replaceDirectoryGroup",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      attributes: t.field({ type: "JSON", required: true, description: "The group as SCIM writes it." }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description:
      "Puts a group's attributes in the place of all that are there. Only an identity provider can.",
    resolve: async (_root, { input: { id, attributes, ifMatch, ifNoneMatch } }, ctx) => {
      const target = { id: fromGlobalId("id", "Group", id), ifMatch, ifNoneMatch };
      return { group: await replaceDirectoryGroup(ctx, target, attributes) };
    },
  },
  { outputFields: (t) => ({ group: t.field({ type: DirectoryGroup, resolve: ({ group }) => group }) }) },
);

builder.relayMutationField(
  "patchDirectoryGroup",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      operations: t.field({ type: ["DirectoryOperation"], required: true }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description:
      "Changes single attributes and members of a group, all or none. Only an identity provider can.",
    resolve: async (_root, { input: { id, operations, ifMatch, ifNoneMatch } }, ctx) => {
      const target = { id: fromGlobalId("id", "Group", id), ifMatch, ifNoneMatch };
      return { group: await patchDirectoryGroup(ctx, target, operations) };
    },
  },
  { outputFields: (t) => ({ group: t.field({ type: DirectoryGroup, resolve: ({ group }) => group }) }) },
);

builder.relayMutationField(
  "deleteDirectoryGroup",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description: "Deletes a group; its members stay. Only an identity provider can.",
    resolve: async (_root, { input: { id, ifMatch, ifNoneMatch } }, ctx) => {
      await deleteDirectoryGroup(ctx, { id: fromGlobalId("id", "Group", id), ifMatch, ifNoneMatch });
      return { deletedId: id };
    },
  },
  { outputFields: (t) => ({ deletedId: t.exposeID("deletedId") }) },
);

builder.relayMutationField(
  "mapDirectoryGroup",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      role: t.field({ type: RoleEnum, description: "Null for none; never OWNER." }),
    }),
  },
  {
    description: "Gives a group a role, which its members have at least. Only an admin can.",
    resolve: async (_root, { input: { id, role = null } }, ctx) => ({
      group: await mapDirectoryGroup(ctx, fromGlobalId("id", "Group", id), role),
    }),
  },
  { outputFields: (t) => ({ group: t.field({ type: DirectoryGroup, resolve: ({ group }) => group }) }) },
);
