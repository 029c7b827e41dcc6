import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { readApiKey } from "../../../src/auth/api-keys/read-api-key.ts";
import { createUser } from "../../../src/auth/users/create-user.ts";
import { UserTokenContext } from "../../../src/db/generated/enums.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { deleteDirectoryUser } from "../../../src/domain/directory/delete-directory-user.ts";
import { queueEmail } from "../../../src/domain/emails/queue-email.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { deleteUser } from "../../../src/domain/users/delete-user.ts";
import { inviteUser } from "../../../src/domain/users/invite-user.ts";
import { updateUserRole } from "../../../src/domain/users/update-user-role.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { personCtx, readRevocationReasons } from "../../support/person-ctx.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { UNSENT } from "../../support/unsent.ts";

let server: TestServer;
let apiKey: string;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer(UNSENT);
});

afterAll(() => server.close());

beforeEach(async () => {
  const workspace = await server.createWorkspace();
  ({ apiKey } = workspace);
  ctx = server.systemCtx(workspace.workspaceId);
});

async function createPerson(role: Role): Promise<string> {
  const email = `${randomBytes(6).toString("hex")}@example.com`;
  return createUser(ctx, server.services.passwords, { email, password: "a long enough password", role });
}

async function giveTokens(userId: string): Promise<void> {
  for (const context of Object.values(UserTokenContext)) {
    await ctx.db.userToken.create({
      data: {
        workspaceId: ctx.workspaceId,
        id: crypto.randomUUID(),
        userId,
        context,
        tokenDigest: new Uint8Array(randomBytes(32)),
        authEpoch: 0,
        ...(context === "session" && { familyId: crypto.randomUUID(), authenticatedAt: new Date() }),
        expiresAt: new Date(Date.now() + 3_600_000),
      },
    });
  }
}

async function countRows(statement: string, userId: string): Promise<number> {
  return (await server.database.query(statement, [ctx.workspaceId, userId])).length;
}

const EVENTS = "SELECT 1 FROM event WHERE workspace_id = $1 AND subject_id = $2 AND type = 'user.suspended'";
const AUDIT =
  "SELECT 1 FROM audit_event WHERE workspace_id = $1 AND target_id = $2 AND action = 'user.suspended'";
const REVOCATIONS =
  "SELECT 1 FROM revocation WHERE workspace_id = $1 AND subject_id = $2::uuid AND kind = 'user'";
const TOKENS = "SELECT 1 FROM users_tokens WHERE workspace_id = $1 AND user_id = $2";

async function userRow(id: string) {
  return ctx.db.user.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

describe("deactivateUser", () => {
  it("ends all sessions, links and pending changes of the user, and of nobody else", async () => {
    const [person, other] = [await createPerson("operator"), await createPerson("operator")];
    await giveTokens(person);
    await giveTokens(other);
    const before = await userRow(person);
    await deactivateUser(ctx, person);
    const after = await userRow(person);
    expect(await countRows(TOKENS, person)).toBe(0);
    expect(await countRows(TOKENS, other)).toBe(Object.values(UserTokenContext).length);
    expect(after.suspendedAt).toBeInstanceOf(Date);
    expect(after.authEpoch).toBe(before.authEpoch + 1);
    expect(after.generation).toBe(before.generation + 1);
    expect((await userRow(other)).suspendedAt).toBeNull();
  });

  it.each([
    ["deactivateUser", deactivateUser],
    ["deleteUser", deleteUser],
    ["deleteDirectoryUser", (by: Ctx, id: string) => deleteDirectoryUser(by, { id })],
  ])("drops the user's queued emails, by %s", async (_name, leave) => {
    const [person, other] = [await createPerson("operator"), await createPerson("operator")];
    const data = { ip: null, userAgent: null };
    await ctx.transaction(async (tx) => {
      for (const userId of [person, other]) {
        const email = {
          userId,
          kind: "new_device",
          sentTo: "x@example.com",
          authEpoch: 0,
          data,
        } as const;
        await queueEmail(tx, email);
      }
    });
    await leave(ctx, person);
    const waiting = await ctx.db.mailOutbox.findMany({ where: { userId: { in: [person, other] } } });
    expect(waiting.map(({ userId }) => userId)).toEqual([other]);
  });

  it("writes one event, one audit event and one revocation", async () => {
    const person = await createPerson("viewer");
    await deactivateUser(ctx, person);
    for (const statement of [EVENTS, AUDIT, REVOCATIONS]) expect(await countRows(statement, person)).toBe(1);
  });

  it("changes nothing when repeated or called concurrently", async () => {
    const person = await createPerson("admin");
    await Promise.all(Array.from({ length: 8 }, () => deactivateUser(ctx, person)));
    const once = await userRow(person);
    await deactivateUser(ctx, person);
    expect(await userRow(person)).toEqual(once);
    expect(once.authEpoch).toBe(1);
    for (const statement of [EVENTS, AUDIT, REVOCATIONS]) expect(await countRows(statement, person)).toBe(1);
  });

  it("rejects suspending the last owner, whoever else there is", async () => {
    const owner = await createPerson("owner");
    await createPerson("admin");
    expect(await getErrorCode(deactivateUser(ctx, owner))).toBe("invalid_state");
    expect((await userRow(owner)).suspendedAt).toBeNull();
    const second = await createPerson("owner");
    await deactivateUser(ctx, second);
    expect(await getErrorCode(deactivateUser(ctx, owner))).toBe("invalid_state");
  });

  it("doesn't count invited owners without a password as owners", async () => {
    const owner = await createPerson("owner");
    const invited = await inviteUser(ctx, { email: "invited@example.com", role: "owner" });
    const acts = [
      deactivateUser(ctx, owner),
      deleteUser(ctx, owner),
      updateUserRole(ctx, owner, "admin"),
      deleteDirectoryUser(ctx, { id: owner }),
    ];
    const codes = await Promise.all(acts.map(getErrorCode));
    expect(new Set(codes)).toEqual(new Set(["invalid_state"]));
    await deleteUser(ctx, invited);
    expect(await getErrorCode(deactivateUser(ctx, owner))).toBe("invalid_state");
  });

  it("allows suspending one of two invited owners, but not both", async () => {
    const invite = (email: string) => inviteUser(ctx, { email, role: "owner" });
    const [mistyped, right] = [await invite("ovner@example.com"), await invite("owner@example.com")];
    expect(await getErrorCode(deleteUser(ctx, mistyped))).toBe("");
    expect(await getErrorCode(deleteUser(ctx, right))).toBe("invalid_state");
  });

  it("lets admins suspend admins and below, and only owners suspend owners", async () => {
    const owners = [await createPerson("owner"), await createPerson("owner")];
    const [owner = ""] = owners;
    const by = (role: Role) => userCtx(server, ctx.workspaceId, role);
    expect(await getErrorCode(deactivateUser(by("admin"), owner))).toBe("forbidden");
    expect((await userRow(owner)).suspendedAt).toBeNull();
    expect(await getErrorCode(deactivateUser(by("admin"), await createPerson("admin")))).toBe("");
    expect(await getErrorCode(deactivateUser(by("owner"), owner))).toBe("");
    expect((await userRow(owner)).suspendedAt).toBeInstanceOf(Date);
  });

  it("leaves one owner if the last two are suspended concurrently", async () => {
    for (let round = 0; round < 5; round++) {
      const workspace = await server.createWorkspace();
      ctx = server.systemCtx(workspace.workspaceId);
      const owners = [await createPerson("owner"), await createPerson("owner")];
      const codes = await Promise.all(owners.map((owner) => getErrorCode(deactivateUser(ctx, owner))));
      expect(codes.toSorted()).toEqual(["", "invalid_state"]);
      const active = await ctx.db.user.count({ where: { role: "owner", suspendedAt: null } });
      expect(active).toBe(1);
    }
  });

  it.each([
    ["creator_suspended", deactivateUser],
    ["creator_deleted", deleteUser],
    ["creator_deleted", (by: Ctx, id: string) => deleteDirectoryUser(by, { id })],
  ])("records %s as the reason on every row if the keys are to end (%#)", async (reason, leave) => {
    await ctx.db.workspace.updateMany({ data: { revokesKeysOfSuspendedCreator: true } });
    const person = { id: await createPerson("admin"), workspaceId: ctx.workspaceId };
    const by = personCtx(server, person, { role: "admin" });
    const { apiKey } = await createApiKey(by, { name: "A key", scopes: ["tasks:read"] });
    await leave(ctx, person.id);
    expect(await readApiKey(ctx, apiKey.id)).toMatchObject({ revokedReason: reason });
    expect(await readRevocationReasons(server, apiKey.id)).toEqual([reason]);
    const events = await ctx.db.event.findMany({ where: { type: "api_key.revoked" } });
    expect(events.map(({ data }) => data)).toEqual([{ reason }]);
  });

  it("doesn't affect API keys", async () => {
    await deactivateUser(ctx, await createPerson("admin"));
    expect((await createTestClient(server.url, apiKey).get("/api/v1/whoami")).status).toBe(200);
  });

  it("allows only owners, admins and identity providers", async () => {
    const scim: Ctx = openCtx(server.services, {
      ...ctx,
      actor: { type: "scim", id: crypto.randomUUID(), name: "IdP" },
    });
    for (const allowed of [
      userCtx(server, ctx.workspaceId, "owner"),
      userCtx(server, ctx.workspaceId, "admin"),
      scim,
    ]) {
      await deactivateUser(allowed, await createPerson("viewer"));
    }
    const person = await createPerson("viewer");
    for (const role of ["operator", "viewer"] as const) {
      expect(await getErrorCode(deactivateUser(userCtx(server, ctx.workspaceId, role), person))).toBe(
        "forbidden",
      );
    }
    const { id, name } = { id: crypto.randomUUID(), name: "An agent" };
    const credential = {
      kind: "api_key" as const,
      id,
      parent: { kind: "api_key" as const, id },
      lineageId: id,
      expiresAt: null,
    };
    const agent = openCtx(server.services, {
      ...ctx,
      actor: { type: "agent", id, name, scopes: new Set(["agents:write"]), credential },
    });
    expect(await getErrorCode(deactivateUser(agent, person))).toBe("forbidden");
    expect((await userRow(person)).suspendedAt).toBeNull();
  });

  it("finds no users of another workspace and no deleted ones", async () => {
    const person = await createPerson("viewer");
    const { workspaceId } = await server.createWorkspace();
    expect(await getErrorCode(deactivateUser(server.systemCtx(workspaceId), person))).toBe("not_found");
    await ctx.db.user.updateMany({ where: { id: person }, data: { deletedAt: new Date() } });
    expect(await getErrorCode(deactivateUser(ctx, person))).toBe("not_found");
    expect(await getErrorCode(deactivateUser(ctx, crypto.randomUUID()))).toBe("not_found");
  });
});
