import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patchDirectoryGroup } from "../../src/domain/directory/change-directory-group.ts";
import {
  patchDirectoryUser,
  replaceDirectoryUser,
} from "../../src/domain/directory/change-directory-user.ts";
import { createDirectoryGroup } from "../../src/domain/directory/create-directory-group.ts";
import { createDirectoryUser } from "../../src/domain/directory/create-directory-user.ts";
import { deleteDirectoryGroup } from "../../src/domain/directory/delete-directory-group.ts";
import { deleteDirectoryUser } from "../../src/domain/directory/delete-directory-user.ts";
import { mapDirectoryGroup } from "../../src/domain/directory/map-directory-group.ts";
import type { PatchOperation } from "../../src/domain/directory/patch-operation.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { deactivateUser } from "../../src/domain/users/deactivate-user.ts";
import { deleteUser } from "../../src/domain/users/delete-user.ts";
import { updateUserRole } from "../../src/domain/users/update-user-role.ts";
import { userCtx } from "../support/callers.ts";
import { lockTable } from "../support/locked-table.ts";
import { readRevocationReasons } from "../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

/** The width of a lane. */
const WRITES = 4;

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** A member with a role by a group, and who may change them. */
type Scene = {
  owner: Ctx;
  scim: Ctx;
  user: { id: string; ifMatch: null };
  group: { id: string; ifMatch: null };
};

async function openScene(): Promise<Scene> {
  const { ctx, workspaceId } = await world.another();
  const { server } = world;
  const owner = userCtx(server, workspaceId, "owner");
  const actor = { type: "scim", id: crypto.randomUUID(), name: "SCIM" } as const;
  const scim = openCtx(server.services, { ...ctx, actor });
  const { id: userId } = await createDirectoryUser(scim, { attributes: { userName: "ada" } });
  const members = [{ value: userId }];
  const { id: groupId } = await createDirectoryGroup(scim, {
    attributes: { displayName: "Admins", members },
  });
  await mapDirectoryGroup(owner, groupId, "admin");
  const one = { ifMatch: null };
  return { owner, scim, user: { ...one, id: userId }, group: { ...one, id: groupId } };
}

const REMOVE_MEMBERS: PatchOperation = {
  ...{ op: "remove", path: ["members"], where: null, sub: null, value: undefined },
};
const SUSPEND: PatchOperation = { op: "replace", path: ["active"], where: null, sub: null, value: false };

const REVOCATIONS: [name: string, revoke: (scene: Scene) => Promise<unknown>, reason: string][] = [
  ["deactivateUser", ({ owner, user }) => deactivateUser(owner, user.id), "user_suspended"],
  ["deleteUser", ({ owner, user }) => deleteUser(owner, user.id), "user_deleted"],
  ["updateUserRole", ({ owner, user }) => updateUserRole(owner, user.id, "viewer"), "role_changed"],
  ["mapDirectoryGroup", ({ owner, group }) => mapDirectoryGroup(owner, group.id, null), "role_changed"],
  ["deleteDirectoryUser", ({ scim, user }) => deleteDirectoryUser(scim, user), "user_deleted"],
  ["patchDirectoryUser", ({ scim, user }) => patchDirectoryUser(scim, user, [SUSPEND]), "user_suspended"],
  [
    "replaceDirectoryUser",
    ({ scim, user }) => replaceDirectoryUser(scim, user, { userName: "ada", active: false }),
    "user_suspended",
  ],
  ["deleteDirectoryGroup", ({ scim, group }) => deleteDirectoryGroup(scim, group), "role_changed"],
  [
    "patchDirectoryGroup",
    ({ scim, group }) => patchDirectoryGroup(scim, group, [REMOVE_MEMBERS]),
    "role_changed",
  ],
];

describe("while as many writes of people wait as run at once", () => {
  it.each(REVOCATIONS)("%s ends a person's rights", async (_name, revoke, reason) => {
    const scene = await openScene();
    const tasks = await lockTable(world.server.database, "task");
    const writes = Array.from({ length: WRITES }, () => createTask(scene.owner, { title: "Waits" }));
    try {
      await tasks.waiters(WRITES);
      await revoke(scene);
    } finally {
      await tasks.release();
      await Promise.all(writes);
    }
    expect(await readRevocationReasons(world.server, scene.user.id)).toEqual([reason]);
  });
});
