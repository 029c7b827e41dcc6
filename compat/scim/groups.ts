import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { Operations, WriteTarget } from "./operations.ts";

const GroupFields = graphql(`
  fragment GroupFields on DirectoryGroup {
    uuid
    version
    attributes
    createdAt
    updatedAt
  }
`);

const ListGroups = graphql(
  `
    query ScimListGroups($query: DirectoryQuery!) {
      directoryGroups(query: $query) {
        total
        nextCursor
        previousCursor
        nodes {
          ...GroupFields
        }
      }
    }
  `,
  [GroupFields],
);

const ReadGroup = graphql(
  `
    query ScimReadGroup($id: ID!, $members: Boolean!) {
      directoryGroup(id: $id, members: $members) {
        ...GroupFields
      }
    }
  `,
  [GroupFields],
);

const CreateGroup = graphql(
  `
    mutation ScimCreateGroup($input: CreateDirectoryGroupInput!) {
      createDirectoryGroup(input: $input) {
        group {
          ...GroupFields
        }
      }
    }
  `,
  [GroupFields],
);

const ReplaceGroup = graphql(
  `
    mutation ScimReplaceGroup($input: ReplaceDirectoryGroupInput!) {
      replaceDirectoryGroup(input: $input) {
        group {
          ...GroupFields
        }
      }
    }
  `,
  [GroupFields],
);

const PatchGroup = graphql(
  `
    mutation ScimPatchGroup($input: PatchDirectoryGroupInput!) {
      patchDirectoryGroup(input: $input) {
        group {
          ...GroupFields
        }
      }
    }
  `,
  [GroupFields],
);

const DeleteGroup = graphql(`
  mutation ScimDeleteGroup($input: DeleteDirectoryGroupInput!) {
    deleteDirectoryGroup(input: $input) {
      deletedId
    }
  }
`);

export const GROUP_OPERATIONS: Operations = {
  type: "Group",
  list: async (ctx, query) => (await execute(ctx, ListGroups, { query })).directoryGroups,
  read: async (ctx, id, members) => {
    const found = await execute(ctx, ReadGroup, { id: toGlobalId("Group", id), members });
    return found.directoryGroup;
  },
  create: async (ctx, attributes, uuid) => {
    const made = await execute(ctx, CreateGroup, { input: { attributes, uuid } });
    return made.createDirectoryGroup.group;
  },
  replace: async (ctx, target, attributes) => {
    const changed = await execute(ctx, ReplaceGroup, { input: { ...toTarget(target), attributes } });
    return changed.replaceDirectoryGroup.group;
  },
  patch: async (ctx, target, operations) => {
    const changed = await execute(ctx, PatchGroup, { input: { ...toTarget(target), operations } });
    return changed.patchDirectoryGroup.group;
  },
  remove: async (ctx, target) => {
    await execute(ctx, DeleteGroup, { input: toTarget(target) });
  },
};

function toTarget({ id, ...condition }: WriteTarget) {
  return { id: toGlobalId("Group", id), ...condition };
}
