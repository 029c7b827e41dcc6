import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { deleteUser } from "../../../src/domain/users/delete-user.ts";
import { readUser } from "../../../src/domain/users/read-user.ts";
import { unsuspendUser } from "../../../src/domain/users/unsuspend-user.ts";
import { updateProfile } from "../../../src/domain/users/update-profile.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestPerson, createPerson, logInAs } from "../../support/people.ts";
import { readEventTypes, lastAudit, personCtx, readRevocationReasons } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

function createMember(role: Role): Promise<TestPerson> {
  return createPerson(server, ctx.workspaceId, { role });
}

const staleCtx = (role: Role) =>
  personCtx(server, { id: crypto.randomUUID(), workspaceId: ctx.workspaceId }, { role, isSudo: false });

describe("unsuspendUser", () => {
  it("lets a user log in again, but restores no session", async () => {
    const person = await createMember("viewer");
    await logInAs(server, person);
    await deactivateUser(ctx, person.id);
    expect(await logInAs(server, person)).toBeNull();
    await unsuspendUser(ctx, person.id);
    expect(await ctx.db.userToken.count({ where: { userId: person.id } })).toBe(0);
    expect(await logInAs(server, person)).not.toBeNull();
    expect((await readUser(ctx, person.id)).suspendedAt).toBeNull();
  });

  it("writes one event, and does nothing if not suspended", async () => {
    const { id } = await createMember("viewer");
    await deactivateUser(ctx, id);
    await Promise.all([unsuspendUser(ctx, id), unsuspendUser(ctx, id)]);
    await unsuspendUser(ctx, id);
    expect(await readEventTypes(server, id)).toEqual(["user.created", "user.suspended", "user.unsuspended"]);
    expect((await lastAudit(server, ctx.workspaceId)).action).toBe("user.unsuspended");
  });

  it("requires an admin of the workspace, and an owner for owners", async () => {
    await createMember("owner");
    const { id } = await createMember("owner");
    await deactivateUser(ctx, id);
    for (const role of ["admin", "operator", "viewer"] as const) {
      expect(await getErrorCode(unsuspendUser(userCtx(server, ctx.workspaceId, role), id))).toBe("forbidden");
    }
    const elsewhere = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await getErrorCode(unsuspendUser(elsewhere, id))).toBe("not_found");
  });
});

describe("deleteUser", () => {
  it("frees the address, keeps the row, and prevents log-in", async () => {
    const person = await createMember("admin");
    await logInAs(server, person);
    await deleteUser(ctx, person.id);
    expect(await logInAs(server, person)).toBeNull();
    expect(await getErrorCode(readUser(ctx, person.id))).toBe("not_found");
    expect(await ctx.db.user.findFirst({ where: { id: person.id } })).toMatchObject({ email: null });
    expect(await readRevocationReasons(server, person.id)).toEqual(["user_deleted"]);
    const again = await createPerson(server, ctx.workspaceId, { email: person.email });
    expect(again.id).not.toBe(person.id);
    expect(await getErrorCode(deleteUser(ctx, person.id))).toBe("not_found");
  });

  it("keeps the last owner", async () => {
    const { id } = await createMember("owner");
    expect(await getErrorCode(deleteUser(ctx, id))).toBe("invalid_state");
  });

  it("requires an admin with a recent password, and an owner for owners", async () => {
    await createMember("owner");
    const { id } = await createMember("owner");
    for (const role of ["admin", "operator", "viewer"] as const) {
      expect(await getErrorCode(deleteUser(userCtx(server, ctx.workspaceId, role), id))).toBe("forbidden");
    }
    expect(await getErrorCode(deleteUser(staleCtx("owner"), id))).toBe("sudo_required");
    expect(await getErrorCode(deactivateUser(staleCtx("owner"), id))).toBe("sudo_required");
    const elsewhere = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await getErrorCode(deleteUser(elsewhere, id))).toBe("not_found");
  });
});

describe("updateProfile", () => {
  it("changes the caller's own name, with an event only for changes", async () => {
    const person = await createMember("viewer");
    const own = personCtx(server, person, { role: "viewer", isSudo: false });
    await updateProfile(own, { name: "Ada" });
    await updateProfile(own, { name: "Ada" });
    expect(await readUser(ctx, person.id)).toMatchObject({ name: "Ada", generation: 2 });
    const changes = { name: { from: "Somebody", to: "Ada" } };
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({ action: "user.updated", changes });
    await updateProfile(own, { name: null });
    expect((await readUser(ctx, person.id)).name).toBeNull();
  });

  it("rejects an empty name, a long one, and anyone but a user", async () => {
    const own = personCtx(server, await createMember("viewer"), { role: "viewer" });
    for (const name of ["", "x".repeat(101), "a\0b"]) {
      expect(await getErrorCode(updateProfile(own, { name }))).toBe("validation_failed");
    }
    expect(await getErrorCode(updateProfile(ctx, { name: "x" }))).toBe("forbidden");
  });
});
