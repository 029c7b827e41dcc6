import { execute } from "../../src/schema/execute.ts";
import { toGlobalId } from "../../src/schema/global-id.ts";
import { graphql } from "../../src/schema/graphql.ts";
import type { Operations, WriteTarget } from "./operations.ts";

const UserFields = graphql(`
  fragment UserFields on DirectoryUser {
    uuid
    version
    attributes
    createdAt
    updatedAt
  }
`);

const ListUsers = graphql(
  `
    query ScimListUsers($query: DirectoryQuery!) {
      directoryUsers(query: $query) {
        total
        nextCursor
        previousCursor
        nodes {
          ...UserFields
        }
      }
    }
  `,
  [UserFields],
);

const ReadUser = graphql(
  `
    query ScimReadUser($id: ID!) {
      directoryUser(id: $id) {
        ...UserFields
      }
    }
  `,
  [UserFields],
);

const CreateUser = graphql(
  `
    mutation ScimCreateUser($input: CreateDirectoryUserInput!) {
      createDirectoryUser(input: $input) {
        user {
          ...UserFields
        }
      }
    }
  `,
  [UserFields],
);

const ReplaceUser = graphql(
  `
    mutation ScimReplaceUser($input: ReplaceDirectoryUserInput!) {
      replaceDirectoryUser(input: $input) {
        user {
          ...UserFields
        }
      }
    }
  `,
  [UserFields],
);

const PatchUser = graphql(
  `
    mutation ScimPatchUser($input: PatchDirectoryUserInput!) {
      patchDirectoryUser(input: $input) {
        user {
          ...UserFields
        }
      }
    }
  `,
  [UserFields],
);

const DeleteUser = graphql(`
  mutation ScimDeleteUser($input: DeleteDirectoryUserInput!) {
    deleteDirectoryUser(input: $input) {
      deletedId
    }
  }
`);

export const USER_OPERATIONS: Operations = {
  type: "User",
  list: async (ctx, query) => (await execute(ctx, ListUsers, { query })).directoryUsers,
  read: async (ctx, id) => (await execute(ctx, ReadUser, { id: toGlobalId("User", id) })).directoryUser,
  create: async (ctx, attributes, uuid) => {
    const made = await execute(ctx, CreateUser, { input: { attributes, uuid } });
    return made.createDirectoryUser.user;
  },
  replace: async (ctx, target, attributes) => {
    const changed = await execute(ctx, ReplaceUser, { input: { ...toTarget(target), attributes } });
    return changed.replaceDirectoryUser.user;
  },
  patch: async (ctx, target, operations) => {
    const changed = await execute(ctx, PatchUser, { input: { ...toTarget(target), operations } });
    return changed.patchDirectoryUser.user;
  },
  remove: async (ctx, target) => {
    await execute(ctx, DeleteUser, { input: toTarget(target) });
  },
};

function toTarget({ id, ...condition }: WriteTarget) {
  return { id: toGlobalId("User", id), ...condition };
}
