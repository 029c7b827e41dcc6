import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/context.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { inviteUser } from "../../../src/domain/users/invite-user.ts";
import { readUser } from "../../../src/domain/users/read-user.ts";
import { resendInvitation } from "../../../src/domain/users/resend-invitation.ts";
import { statusOf } from "../../../src/domain/users/user-view.ts";
import { codeOf, userCtx } from "../../support/callers.ts";
import { eventsOf, lastAudit, personCtx } from "../../support/person-ctx.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

type Input = Parameters<typeof inviteUser>[1];

function invite(input: Partial<Input> = {}, by = ctx): Promise<string> {
  return inviteUser(by, { email: "ada@example.com", role: "viewer", ...input });
}

async function letters(userId: string): Promise<object[]> {
  return ctx.db.mailOutbox.findMany({
    where: { userId },
    select: { kind: true, sentTo: true, data: true, authEpoch: true },
  });
}

describe("inviteUser", () => {
  it("makes a member who has no password and a letter that invites", async () => {
    const id = await invite({ name: "Ada", role: "operator" });
    const user = await readUser(ctx, id);
    expect(user).toMatchObject({
      email: "ada@example.com",
      name: "Ada",
      role: "operator",
      confirmedAt: null,
    });
    expect(statusOf(user)).toBe("invited");
    const letter = { kind: "invitation", sentTo: "ada@example.com", authEpoch: 0 };
    expect(await letters(id)).toEqual([{ ...letter, data: expect.objectContaining({}) }]);
    expect(JSON.stringify(await letters(id))).toContain(ctx.actor.name);
    expect(await eventsOf(server, id)).toEqual(["user.created"]);
    expect(await lastAudit(server, ctx.workspaceId)).toEqual({
      ...{ action: "user.invited", target_id: id, changes: { role: "operator" } },
    });
  });

  it("refuses the address of another member, whatever its case, and leaves no letter", async () => {
    await invite();
    expect(await codeOf(invite({ email: "ADA@example.com" }))).toBe("validation_failed");
    expect(await ctx.db.mailOutbox.count()).toBe(1);
  });

  it.each<[string, Partial<Input>]>([
    ["no address", { email: "" }],
    ["what is no address", { email: "ada" }],
    ["an address of 161 characters", { email: `${"a".repeat(149)}@example.com` }],
    ["an empty name", { name: "" }],
    ["a name with NUL", { name: "A\0" }],
  ])("refuses %s", async (_what, input) => {
    expect(await codeOf(invite(input))).toBe("validation_failed");
    expect(await ctx.db.user.count()).toBe(0);
  });

  it("lets nobody grant a role above his own, and nobody below an admin invite", async () => {
    const by = (role: "owner" | "admin" | "operator" | "viewer") => userCtx(server, ctx.workspaceId, role);
    expect(await codeOf(invite({ role: "owner" }, by("admin")))).toBe("forbidden");
    expect(await codeOf(invite({ role: "viewer" }, by("operator")))).toBe("forbidden");
    expect(await codeOf(invite({ role: "viewer" }, by("viewer")))).toBe("forbidden");
    expect(await codeOf(invite({ role: "admin" }, by("admin")))).toBe("");
    expect(await codeOf(invite({ role: "owner", email: "o@example.com" }, by("owner")))).toBe("");
  });

  it("asks for the password again where it was given long ago", async () => {
    const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
    const by = personCtx(server, person, { role: "owner", isSudo: false });
    expect(await codeOf(invite({}, by))).toBe("sudo_required");
  });
});

describe("resendInvitation", () => {
  it("queues one letter, in place of one that is not out yet", async () => {
    const id = await invite();
    await resendInvitation(ctx, id);
    expect(await letters(id)).toHaveLength(1);
    await ctx.db.mailOutbox.deleteMany({ where: { userId: id } });
    await resendInvitation(ctx, id);
    expect(await letters(id)).toHaveLength(1);
    expect((await lastAudit(server, ctx.workspaceId)).action).toBe("user.invited_again");
  });

  it("refuses whoever has a password, is suspended or has no address", async () => {
    const id = await invite();
    await ctx.db.user.updateMany({ where: { id }, data: { hashedPassword: "x" } });
    expect(await codeOf(resendInvitation(ctx, id))).toBe("invalid_state");
    await ctx.db.user.updateMany({ where: { id }, data: { hashedPassword: null, email: null } });
    expect(await codeOf(resendInvitation(ctx, id))).toBe("invalid_state");
    await deactivateUser(ctx, id);
    expect(await codeOf(resendInvitation(ctx, id))).toBe("invalid_state");
  });

  it("finds nobody of another workspace, and serves no one below an admin or below the member", async () => {
    const id = await invite({ role: "owner" });
    const { workspaceId } = await server.createWorkspace();
    expect(await codeOf(resendInvitation(userCtx(server, workspaceId, "owner"), id))).toBe("not_found");
    for (const role of ["admin", "operator", "viewer"] as const) {
      expect(await codeOf(resendInvitation(userCtx(server, ctx.workspaceId, role), id))).toBe("forbidden");
    }
  });
});
