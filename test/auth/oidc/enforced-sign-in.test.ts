import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readInvitation } from "../../../src/auth/invitations/read-invitation.ts";
import { mintLink } from "../../../src/auth/emails/mint-link.ts";
import { deleteSignInProvider, setSignInProvider } from "../../../src/auth/oidc/set-sign-in-provider.ts";
import { completeReset } from "../../../src/auth/reset/complete-reset.ts";
import { isResetLinkValid } from "../../../src/auth/reset/is-reset-link-valid.ts";
import { logIn } from "../../../src/auth/sessions/log-in.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { deleteUser } from "../../../src/domain/users/delete-user.ts";
import { updateUserRole } from "../../../src/domain/users/update-user-role.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import {
  type TestPerson,
  SEEN,
  askWhoAmI,
  buildCookie,
  createPerson,
  logInAs,
  beginTestSession,
} from "../../support/people.ts";
import { lastAudit, personCtx } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { askBy, callMutation } from "../../support/settings-client.ts";
import { NEW_SIGN_IN_PROVIDER } from "../../support/test-sign-in.ts";
import { UNSENT } from "../../support/unsent.ts";

const NEW = "a lantern over the water";

let server: TestServer;
let ctx: Ctx;
let workspaceId: string;
let owner: TestPerson;
let member: TestPerson;

beforeAll(async () => {
  server = await startTestServer(UNSENT);
});

afterAll(() => server.close());

beforeEach(async () => {
  await server.database.query("DELETE FROM throttle");
  ({ workspaceId } = await server.createWorkspace());
  ctx = server.systemCtx(workspaceId);
  owner = await createPerson(server, workspaceId, { role: "owner" });
  member = await createPerson(server, workspaceId, { role: "admin" });
});

function enforce(by: Ctx = personCtx(server, owner, { role: "owner" }), fields = {}) {
  return setSignInProvider(by, { ...NEW_SIGN_IN_PROVIDER, enforced: true, ...fields });
}

async function isSessionValid(token: string): Promise<boolean> {
  return (await askWhoAmI(server, buildCookie(token))).status === 200;
}

async function canLogIn(person: TestPerson): Promise<boolean> {
  return (await logInAs(server, person)) !== null;
}

/** Makes a session one that began at the provider. */
async function moveToProvider({ id }: TestPerson, providerId: string): Promise<void> {
  await server.database.query("UPDATE users_tokens SET provider_id = $2 WHERE user_id = $1", [
    id,
    providerId,
  ]);
}

async function mint(person: TestPerson, context: "reset_password" | "invitation"): Promise<string> {
  const link = await mintLink(ctx, { userId: person.id, context, sentTo: null, isDue: async () => true });
  return link?.path.split("/").at(-1) ?? "";
}

describe("setSignInProvider, enforced", () => {
  it("names the owner who does so, keeps it when it is not said, and says it in the audit log", async () => {
    expect(await enforce()).toMatchObject({ enforced: true, breakGlassUserId: owner.id });
    const admin = personCtx(server, member, { role: "admin" });
    const kept = await setSignInProvider(admin, { ...NEW_SIGN_IN_PROVIDER, createsViewers: true });
    expect(kept).toMatchObject({ enforced: true, breakGlassUserId: owner.id });
    expect(await lastAudit(server, workspaceId)).toMatchObject({
      action: "sign_in_provider.set",
      changes: { enforced: true, break_glass_user_id: owner.id },
    });
    const allowed = await setSignInProvider(admin, { ...NEW_SIGN_IN_PROVIDER, enforced: false });
    expect(allowed).toMatchObject({ enforced: false, breakGlassUserId: owner.id });
  });

  it("is refused without an owner who can log in with a password", async () => {
    const stranger = await createPerson(server, (await server.createWorkspace()).workspaceId, {
      role: "owner",
    });
    const unconfirmed = await createPerson(server, workspaceId, { role: "owner", confirmed: false });
    const suspended = await createPerson(server, workspaceId, { role: "owner" });
    await deactivateUser(ctx, suspended.id);
    const invited = await createPerson(server, workspaceId, { role: "owner" });
    await ctx.db.user.updateMany({ where: { id: invited.id }, data: { hashedPassword: null } });
    await setSignInProvider(ctx, NEW_SIGN_IN_PROVIDER);
    const admin = askBy(server, await beginTestSession(server, member));
    for (const id of [null, stranger.id, unconfirmed.id, suspended.id, invited.id, member.id]) {
      const named = id === null ? {} : { breakGlassOwnerId: toGlobalId("User", id) };
      const input = { ...NEW_SIGN_IN_PROVIDER, enforced: true, ...named };
      const answer = await callMutation(admin, "setSignInProvider", input);
      expect(answer.body.errors[0].extensions).toMatchObject({
        code: "VALIDATION_FAILED",
        field: "breakGlassOwnerId",
      });
    }
    const input = { ...NEW_SIGN_IN_PROVIDER, breakGlassOwnerId: toGlobalId("User", owner.id) };
    expect((await callMutation(admin, "setSignInProvider", { ...input, enforced: true })).body.errors).toBe(
      undefined,
    );
  });

  it("is refused while owners can't sign in by the provider, also when an admin names another", async () => {
    const admin = personCtx(server, member, { role: "admin" });
    const refused = { code: "validation_failed", details: { field: "enforced" } };
    await expect(enforce(admin, { breakGlassOwnerId: owner.id })).rejects.toMatchObject(refused);
    await enforce();
    const another = { ...NEW_SIGN_IN_PROVIDER, issuer: "https://another.example" };
    await expect(setSignInProvider(admin, another)).rejects.toMatchObject(refused);
    expect((await ctx.db.signInProvider.findFirst())?.issuer).toBe(NEW_SIGN_IN_PROVIDER.issuer);
  });

  it("requires a recent password", async () => {
    const stale = personCtx(server, owner, { role: "owner", isSudo: false });
    await expect(enforce(stale)).rejects.toMatchObject({ code: "sudo_required" });
  });

  it("ends sessions that began with a password, except the caller's and the break-glass owner's", async () => {
    const { id: providerId } = await setSignInProvider(ctx, NEW_SIGN_IN_PROVIDER);
    const signedIn = await createPerson(server, workspaceId);
    const byProvider = await beginTestSession(server, signedIn);
    await moveToProvider(signedIn, providerId);
    const [own, other] = [await beginTestSession(server, member), await beginTestSession(server, member)];
    const ofOwner = await beginTestSession(server, owner);
    const input = {
      ...NEW_SIGN_IN_PROVIDER,
      enforced: true,
      breakGlassOwnerId: toGlobalId("User", owner.id),
    };
    await callMutation(askBy(server, own), "setSignInProvider", input);
    const tokens = [byProvider, own, ofOwner, other];
    expect(await Promise.all(tokens.map(isSessionValid))).toEqual([true, true, true, false]);
    const audit = await server.database.query(
      "SELECT changes FROM audit_event WHERE workspace_id = $1 AND action = 'session.ended'",
      [workspaceId],
    );
    expect(audit).toEqual([{ changes: { user_id: member.id, reason: "sign_in_enforced" } }]);
  });
});

describe("a log-in where sign-in is enforced", () => {
  it("is refused to all but the break-glass owner, after as many verified passwords as for nobody", async () => {
    const another = await createPerson(server, workspaceId, { role: "owner" });
    await enforce();
    expect([await canLogIn(member), await canLogIn(another), await canLogIn(owner)]).toEqual([
      ...[false, false, true],
    ]);
    const { services } = server;
    const counts = [];
    for (const email of [member.email, "nobody@example.com"]) {
      let verified = 0;
      const verify = async () => ++verified < 0;
      const counting = { ...services, passwords: { ...services.passwords, verify } };
      const input = { email, password: NEW, remember: false, workspaceId: null, replaces: null };
      expect(await logIn(counting, input, SEEN)).toEqual({ outcome: "refused" });
      counts.push(verified);
    }
    expect(counts).toEqual([3, 3]);
  });

  it("is possible in another workspace of the same address", async () => {
    const other = await server.createWorkspace();
    const same = await createPerson(server, other.workspaceId, { email: member.email });
    await enforce();
    expect(await canLogIn(same)).toBe(true);
  });

  it("is refused if the provider is enforced while the password is verified", async () => {
    const { services } = server;
    const verify: typeof services.passwords.verify = async (...asked) => {
      await enforce();
      return services.passwords.verify(...asked);
    };
    const slow = { ...services, passwords: { ...services.passwords, verify } };
    const { email, password } = member;
    const input = { email, password, remember: false, workspaceId: null, replaces: null };
    expect(await logIn(slow, input, SEEN)).toEqual({ outcome: "refused" });
  });

  it("by the break-glass owner is audited, and mailed to all owners", async () => {
    const another = await createPerson(server, workspaceId, { role: "owner" });
    await enforce();
    expect(await canLogIn(owner)).toBe(true);
    const rows = await server.database.query(
      `SELECT action, target_id FROM audit_event WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 2`,
      [workspaceId],
    );
    expect(rows.toReversed()).toMatchObject([
      { action: "user.break_glass_used", target_id: owner.id },
      { action: "session.created" },
    ]);
    const mailed = await ctx.db.mailOutbox.findMany({ where: { kind: "break_glass_used" } });
    expect(mailed.map(({ sentTo }) => sentTo).toSorted()).toEqual([owner.email, another.email].toSorted());
    expect(mailed[0]?.data).toMatchObject({ usedBy: "Somebody", ip: SEEN.ip });
  });

  it.each([
    ["is suspended", () => deactivateUser(ctx, owner.id)],
    ["is deleted", () => deleteUser(ctx, owner.id)],
    ["is demoted", () => updateUserRole(ctx, owner.id, "admin")],
    [
      "has no password",
      () => ctx.db.user.updateMany({ where: { id: owner.id }, data: { hashedPassword: null } }),
    ],
  ])(
    "is possible for every owner once the break-glass owner %s, with the same audit",
    async (_how, happens) => {
      const another = await createPerson(server, workspaceId, { role: "owner" });
      await enforce();
      expect(await canLogIn(another)).toBe(false);
      await happens();
      expect([await canLogIn(another), await canLogIn(owner), await canLogIn(member)]).toEqual([
        ...[true, false, false],
      ]);
      const used = await server.database.query(
        "SELECT target_id FROM audit_event WHERE workspace_id = $1 AND action = 'user.break_glass_used'",
        [workspaceId],
      );
      expect(used).toEqual([{ target_id: another.id }]);
    },
  );

  it("stays possible for somebody: the last owner with a password can't leave", async () => {
    const another = await createPerson(server, workspaceId, { role: "owner" });
    await ctx.db.user.updateMany({ where: { id: another.id }, data: { hashedPassword: null } });
    await enforce();
    for (const leave of [
      () => deactivateUser(ctx, owner.id),
      () => deleteUser(ctx, owner.id),
      () => updateUserRole(ctx, owner.id, "admin"),
    ]) {
      await expect(leave()).rejects.toMatchObject({ code: "invalid_state" });
    }
    expect(await canLogIn(owner)).toBe(true);
  });
});

describe("passwords where sign-in is enforced", () => {
  it("are not set by links that were sent before, but by the break-glass owner's", async () => {
    const [reset, invitation] = [await mint(member, "reset_password"), await mint(member, "invitation")];
    const ofOwner = await mint(owner, "reset_password");
    await enforce();
    const { services } = server;
    expect(await isResetLinkValid(services, reset)).toBe(false);
    expect(await readInvitation(services, invitation)).toBeNull();
    const chosen = { password: NEW, passwordConfirmation: NEW };
    expect(await completeReset(services, { token: reset, ...chosen }, SEEN)).toBe("invalid");
    expect(await completeReset(services, { token: ofOwner, ...chosen }, SEEN)).toBe("done");
    expect(await canLogIn({ ...owner, password: NEW })).toBe(true);
    expect([await mint(member, "reset_password"), await mint(member, "invitation")]).toEqual(["", ""]);
  });

  it("are neither changed nor confirmed by members, who are told so", async () => {
    const token = await beginTestSession(server, member);
    const { id: providerId } = await setSignInProvider(ctx, NEW_SIGN_IN_PROVIDER);
    await moveToProvider(member, providerId);
    await enforce();
    const ask = askBy(server, token);
    const input = { currentPassword: member.password, newPassword: NEW, newPasswordConfirmation: NEW };
    for (const answer of [
      await callMutation(ask, "changePassword", input),
      await callMutation(ask, "confirmPassword", { password: member.password }),
    ]) {
      expect(answer.body.errors[0]).toMatchObject({
        message: expect.stringContaining("Passwords don't count in your workspace"),
        extensions: { code: "INVALID_STATE" },
      });
    }
    const own = askBy(server, await beginTestSession(server, owner));
    expect((await callMutation(own, "confirmPassword", { password: owner.password })).body.errors).toBe(
      undefined,
    );
  });

  it("work again once it is not enforced, or the provider is deleted", async () => {
    await enforce();
    await setSignInProvider(ctx, { ...NEW_SIGN_IN_PROVIDER, enforced: false });
    expect([await canLogIn(member), await canLogIn(owner)]).toEqual([true, true]);
    expect(await ctx.db.mailOutbox.count({ where: { kind: "break_glass_used" } })).toBe(0);
    await enforce();
    await deleteSignInProvider(ctx);
    expect(await canLogIn(member)).toBe(true);
  });
});
