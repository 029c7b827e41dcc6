import { patchDirectoryGroup, replaceDirectoryGroup } from "../../domain/directory/change-directory-group.ts";
import { createDirectoryGroup } from "../../domain/directory/create-directory-group.ts";
import { deleteDirectoryGroup } from "../../domain/directory/delete-directory-group.ts";
import { mapDirectoryGroup } from "../../domain/directory/map-directory-group.ts";
import { readDirectoryResource } from "../../domain/directory/read-resource.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { DirectoryGroup } from "./directory-resource.ts";
import { RoleEnum } from "./user.ts";

const IF_MATCH = "The group's ETag must be one of these.";
const IF_NONE_MATCH = "The group's ETag must not be one of these.";

builder.queryFields((t) => ({
  directoryGroup: t.field({
    type: DirectoryGroup,
    description: "One group of members. For identity providers and admins.",
    args: {
      id: t.arg.id({ required: true }),
      members: t.arg.boolean({
        defaultValue: true,
        required: true,
        description: "Whether to include the members.",
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
      uuid: t.field({ type: "UUID", description: "The group's id. Default: a new one." }),
      attributes: t.field({ type: "JSON", required: true, description: "The group as a SCIM resource." }),
    }),
  },
  {
    description: "Creates a group. For identity providers.",
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
      attributes: t.field({ type: "JSON", required: true, description: "The group as a SCIM resource." }),
      ifMatch: t.stringList({ description: IF_MATCH }),
      ifNoneMatch: t.stringList({ description: IF_NONE_MATCH }),
    }),
  },
  {
    description: "Replaces all attributes of a group. For identity providers.",
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
      "Changes attributes and members of a group. Applies all operations or none. For identity providers.",
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
    description: "Deletes a group. Its members stay in the workspace. For identity providers.",
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
      role: t.field({ type: RoleEnum, description: "Null removes the role. OWNER is not allowed." }),
    }),
  },
  {
    description: "Maps a group to a role, which its members then have at least. For admins.",
    resolve: async (_root, { input: { id, role = null } }, ctx) => ({
      group: await mapDirectoryGroup(ctx, fromGlobalId("id", "Group", id), role),
    }),
  },
  { outputFields: (t) => ({ group: t.field({ type: DirectoryGroup, resolve: ({ group }) => group }) }) },
);
