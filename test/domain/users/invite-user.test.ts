import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { createDirectoryUser } from "../../../src/domain/directory/create-directory-user.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { inviteUser } from "../../../src/domain/users/invite-user.ts";
import { readUser } from "../../../src/domain/users/read-user.ts";
import { resendInvitation } from "../../../src/domain/users/resend-invitation.ts";
import { getUserStatus } from "../../../src/domain/users/user-view.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { readEventTypes, lastAudit, personCtx } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  await server.database.query("DELETE FROM throttle");
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

type Input = Parameters<typeof inviteUser>[1];

function invite(input: Partial<Input> = {}, by = ctx): Promise<string> {
  return inviteUser(by, { email: "ada@example.com", role: "viewer", ...input });
}

async function readEmails(userId: string): Promise<object[]> {
  return ctx.db.mailOutbox.findMany({
    where: { userId },
    select: { kind: true, sentTo: true, data: true, authEpoch: true },
  });
}

describe("inviteUser", () => {
  it("creates a member without a password, and an invitation email", async () => {
    const id = await invite({ name: "Ada", role: "operator" });
    const user = await readUser(ctx, id);
    expect(user).toMatchObject({
      email: "ada@example.com",
      name: "Ada",
      role: "operator",
      confirmedAt: null,
    });
    expect(getUserStatus(user)).toBe("invited");
    const queued = { kind: "invitation", sentTo: "ada@example.com", authEpoch: 0 };
    expect(await readEmails(id)).toEqual([{ ...queued, data: expect.objectContaining({}) }]);
    expect(JSON.stringify(await readEmails(id))).toContain(ctx.actor.name);
    const types = ["user.created", "user.invited"];
    expect(await readEventTypes(server, id)).toEqual(types);
    const audited = "SELECT action, changes FROM audit_event WHERE target_id = $1 ORDER BY seq";
    expect(await server.database.query(audited, [id])).toEqual([
      { action: types[0], changes: { role: "operator" } },
      { action: types[1], changes: {} },
    ]);
  });

  it("rejects another member's address in any case, without an email", async () => {
    await invite();
    expect(await getErrorCode(invite({ email: "ADA@example.com" }))).toBe("validation_failed");
    expect(await ctx.db.mailOutbox.count()).toBe(1);
  });

  it.each<[string, Partial<Input>]>([
    ["no address", { email: "" }],
    ["an invalid address", { email: "ada" }],
    ["an address of 161 characters", { email: `${"a".repeat(149)}@example.com` }],
    ["an empty name", { name: "" }],
    ["a name with NUL", { name: "A\0" }],
  ])("rejects %s", async (_what, input) => {
    expect(await getErrorCode(invite(input))).toBe("validation_failed");
    expect(await ctx.db.user.count()).toBe(0);
  });

  it("lets nobody assign a higher role, and only admins invite", async () => {
    const by = (role: "owner" | "admin" | "operator" | "viewer") => userCtx(server, ctx.workspaceId, role);
    expect(await getErrorCode(invite({ role: "owner" }, by("admin")))).toBe("forbidden");
    expect(await getErrorCode(invite({ role: "viewer" }, by("operator")))).toBe("forbidden");
    expect(await getErrorCode(invite({ role: "viewer" }, by("viewer")))).toBe("forbidden");
    expect(await getErrorCode(invite({ role: "admin" }, by("admin")))).toBe("");
    expect(await getErrorCode(invite({ role: "owner", email: "o@example.com" }, by("owner")))).toBe("");
  });

  it("sends at most five emails to an address within 15 minutes, from any workspace and in any case", async () => {
    const id = await invite();
    await resendInvitation(ctx, id);
    const others = [];
    for (let n = 0; n < 4; n++) others.push(server.systemCtx((await server.createWorkspace()).workspaceId));
    const emails = ["ADA@example.com", "Ada@Example.com", "ada@EXAMPLE.com", "ada@example.com"];
    const codes = [];
    for (const [n, by] of others.entries())
      codes.push(await getErrorCode(invite({ email: emails[n] ?? "" }, by)));
    expect(codes).toEqual(["", "", "", "rate_limited"]);
    expect(await getErrorCode(resendInvitation(ctx, id))).toBe("rate_limited");
    expect(await others[3]?.db.user.count()).toBe(0);
    expect(await readEmails(id)).toHaveLength(1);
    expect(await getErrorCode(invite({ email: "grace@example.com" }))).toBe("");
    const later = { ...ctx, now: new Date(Date.now() + 901_000) };
    expect(await getErrorCode(resendInvitation(openCtx(server.services, later, later.now), id))).toBe("");
  });

  it("sends at most a hundred invitations of a workspace within 15 minutes", async () => {
    const id = await invite();
    for (let n = 1; n < 100; n++) await invite({ email: `${n}@example.com` });
    const message = "a workspace can send 100 within 15 minutes";
    await expect(invite({ email: "100@example.com" })).rejects.toThrow(message);
    await expect(resendInvitation(ctx, id)).rejects.toMatchObject({ code: "rate_limited" });
    expect(await ctx.db.user.count()).toBe(100);
    const other = server.systemCtx((await server.createWorkspace()).workspaceId);
    expect(await getErrorCode(invite({ email: "100@example.com" }, other))).toBe("");
    // An identity provider's users get no email.
    const provisioned = { attributes: { userName: "101@example.com" } };
    expect(await getErrorCode(createDirectoryUser(ctx, provisioned))).toBe("");
    const later = new Date(Date.now() + 901_000);
    expect(await getErrorCode(resendInvitation(openCtx(server.services, ctx, later), id))).toBe("");
  });

  it("requires a recent password", async () => {
    const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
    const by = personCtx(server, person, { role: "owner", isSudo: false });
    expect(await getErrorCode(invite({}, by))).toBe("sudo_required");
  });
});

describe("resendInvitation", () => {
  it("queues one email, replacing one not sent yet", async () => {
    const id = await invite();
    await resendInvitation(ctx, id);
    expect(await readEmails(id)).toHaveLength(1);
    await ctx.db.mailOutbox.deleteMany({ where: { userId: id } });
    await resendInvitation(ctx, id);
    expect(await readEmails(id)).toHaveLength(1);
    expect((await lastAudit(server, ctx.workspaceId)).action).toBe("user.invited");
    expect((await readEventTypes(server, id)).at(-1)).toBe("user.invited");
  });

  it("rejects users with a password, suspended, or without an address", async () => {
    const id = await invite();
    await ctx.db.user.updateMany({ where: { id }, data: { hashedPassword: "x" } });
    expect(await getErrorCode(resendInvitation(ctx, id))).toBe("invalid_state");
    await ctx.db.user.updateMany({ where: { id }, data: { hashedPassword: null, email: null } });
    expect(await getErrorCode(resendInvitation(ctx, id))).toBe("invalid_state");
    await deactivateUser(ctx, id);
    expect(await getErrorCode(resendInvitation(ctx, id))).toBe("invalid_state");
  });

  it("requires an admin of the workspace with at least the member's role", async () => {
    const id = await invite({ role: "owner" });
    const { workspaceId } = await server.createWorkspace();
    expect(await getErrorCode(resendInvitation(userCtx(server, workspaceId, "owner"), id))).toBe("not_found");
    for (const role of ["admin", "operator", "viewer"] as const) {
      expect(await getErrorCode(resendInvitation(userCtx(server, ctx.workspaceId, role), id))).toBe(
        "forbidden",
      );
    }
  });
});
