import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setSignInProvider } from "../../../src/auth/oidc/set-sign-in-provider.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { readUser } from "../../../src/domain/users/read-user.ts";
import { updateUserRole } from "../../../src/domain/users/update-user-role.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { askWhoAmI, buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { readEventTypes, lastAudit, personCtx, readRevocationReasons } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { NEW_SIGN_IN_PROVIDER } from "../../support/test-sign-in.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

async function createMemberId(role: Role): Promise<string> {
  return (await createPerson(server, ctx.workspaceId, { role })).id;
}

async function readRole(id: string): Promise<Role> {
  return (await readUser(ctx, id)).role;
}

describe("updateUserRole", () => {
  it("revokes for a lower role, so that sockets close", async () => {
    const id = await createMemberId("admin");
    await updateUserRole(ctx, id, "viewer");
    expect(await readRole(id)).toBe("viewer");
    expect(await readEventTypes(server, id)).toEqual(["user.created", "user.updated"]);
    const changes = { role: { from: "admin", to: "viewer" } };
    expect(await lastAudit(server, ctx.workspaceId)).toEqual({
      ...{ action: "user.role_changed", target_id: id, changes },
    });
    expect(await readRevocationReasons(server, id)).toEqual(["role_changed"]);
  });

  it("revokes nothing for a higher role, and does nothing for the same", async () => {
    const id = await createMemberId("viewer");
    await updateUserRole(ctx, id, "admin");
    await updateUserRole(ctx, id, "admin");
    expect(await readRevocationReasons(server, id)).toEqual([]);
    expect(await readEventTypes(server, id)).toEqual(["user.created", "user.updated"]);
    expect((await readUser(ctx, id)).generation).toBe(2);
  });

  it("keeps the last owner, also under concurrent changes", async () => {
    const owner = await createMemberId("owner");
    expect(await getErrorCode(updateUserRole(ctx, owner, "admin"))).toBe("invalid_state");
    expect(await getErrorCode(updateUserRole(ctx, owner, "owner"))).toBe("");
    for (let round = 0; round < 5; round++) {
      const second = await createMemberId("owner");
      const codes = await Promise.all(
        [owner, second].map((id) => getErrorCode(updateUserRole(ctx, id, "viewer"))),
      );
      expect(codes.toSorted()).toEqual(["", "invalid_state"]);
      await updateUserRole(ctx, owner, "owner");
      await updateUserRole(ctx, second, "viewer");
    }
  });

  it("lets nobody manage or assign a higher role", async () => {
    const [owner, admin, viewer] = [
      await createMemberId("owner"),
      await createMemberId("admin"),
      await createMemberId("viewer"),
    ];
    await createMemberId("owner");
    const by = (role: Role) => userCtx(server, ctx.workspaceId, role);
    expect(await getErrorCode(updateUserRole(by("admin"), owner, "viewer"))).toBe("forbidden");
    expect(await getErrorCode(updateUserRole(by("admin"), viewer, "owner"))).toBe("forbidden");
    expect(await getErrorCode(updateUserRole(by("admin"), admin, "operator"))).toBe("");
    expect(await getErrorCode(updateUserRole(by("owner"), owner, "admin"))).toBe("");
    for (const role of ["operator", "viewer"] as const) {
      expect(await getErrorCode(updateUserRole(by(role), viewer, "viewer"))).toBe("forbidden");
    }
  });

  it("requires a recent password, and finds no users of another workspace", async () => {
    const id = await createMemberId("viewer");
    const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
    const stale = personCtx(server, person, { role: "owner", isSudo: false });
    expect(await getErrorCode(updateUserRole(stale, id, "admin"))).toBe("sudo_required");
    const elsewhere = userCtx(server, (await server.createWorkspace()).workspaceId, "owner");
    expect(await getErrorCode(updateUserRole(elsewhere, id, "admin"))).toBe("not_found");
    expect(await readRole(id)).toBe("viewer");
  });

  it("logs an owner out who becomes less where sign-in by the provider is enforced", async () => {
    const createOwner = () => createPerson(server, ctx.workspaceId, { role: "owner" });
    const [kept, one, other] = await Promise.all([createOwner(), createOwner(), createOwner()]);
    const before = await beginTestSession(server, one);
    await updateUserRole(ctx, one.id, "admin");
    expect((await askWhoAmI(server, buildCookie(before))).status).toBe(200);
    const by = personCtx(server, other, { role: "owner" });
    await setSignInProvider(by, { ...NEW_SIGN_IN_PROVIDER, enforced: true });
    const token = await beginTestSession(server, other);
    await updateUserRole(personCtx(server, kept, { role: "owner" }), other.id, "admin");
    expect((await askWhoAmI(server, buildCookie(token))).status).toBe(401);
  });
});
