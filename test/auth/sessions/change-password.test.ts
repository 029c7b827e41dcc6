import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestEmailChange } from "../../../src/auth/email-change/request-email-change.ts";
import { changePassword } from "../../../src/auth/sessions/change-password.ts";
import type { Ctx, NewSession } from "../../../src/domain/kernel/context.ts";
import { getErrorCode } from "../../support/callers.ts";
import {
  type TestPerson,
  askWhoAmI,
  buildCookie,
  createPerson,
  logInAs,
  beginTestSession,
} from "../../support/people.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { UNSENT } from "../../support/unsent.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld(UNSENT);
});

afterAll(async () => {
  await world.server.close();
});

const NEW = "another harbour, at dusk";

/** A user with one session, and the cookie set for their browser. */
async function logIn(remember = false) {
  const who = await createPerson(world.server, world.workspaceId);
  const token = await beginTestSession(world.server, who, { remember });
  const handed: NewSession[] = [];
  const ctx: Ctx = await openSessionCtx(world.server, token);
  Object.assign(ctx, { handSession: (session: NewSession) => handed.push(session) });
  return { who, token, ctx, handed };
}

async function change(
  ctx: Ctx,
  who: TestPerson,
  input: Partial<Parameters<typeof changePassword>[2]> = {},
): Promise<void> {
  const form = { currentPassword: who.password, newPassword: NEW, newPasswordConfirmation: NEW };
  await changePassword(ctx, world.server.services, { ...form, ...input });
}

async function isSessionValid(token: string): Promise<boolean> {
  return (await askWhoAmI(world.server, buildCookie(token))).status === 200;
}

describe("changePassword", () => {
  it("gives this browser a new session, and ends every other one", async () => {
    const { who, token, ctx, handed } = await logIn(true);
    const other = await beginTestSession(world.server, who);
    await change(ctx, who);
    expect(handed).toMatchObject([{ remembered: true }]);
    expect([
      await isSessionValid(handed[0]?.token ?? ""),
      await isSessionValid(token),
      await isSessionValid(other),
    ]).toEqual([true, false, false]);
    expect(await logInAs(world.server, who)).toBeNull();
    expect(await logInAs(world.server, { ...who, password: NEW })).not.toBeNull();
  });

  it("begins no session instead of one that was ended meanwhile", async () => {
    const { who, ctx, handed } = await logIn();
    await world.server.database.query("DELETE FROM users_tokens WHERE user_id = $1", [who.id]);
    expect(await getErrorCode(change(ctx, who))).toBe("unauthenticated");
    expect(handed).toEqual([]);
    expect(await logInAs(world.server, who)).not.toBeNull();
  });

  it("invalidates every sent link and sends an email", async () => {
    const { who, ctx } = await logIn();
    const { query } = world.server.database;
    for (const context of ["reset_password", "email_change", "invitation"]) {
      await query(
        `INSERT INTO users_tokens (workspace_id, id, user_id, context, token_digest, auth_epoch, expires_at)
         VALUES ($1, gen_random_uuid(), $2, $3::user_token_context, sha256($4::bytea), 0, now() + interval '1 hour')`,
        [world.workspaceId, who.id, context, who.id + context],
      );
    }
    await change(ctx, who);
    expect(await query("SELECT context FROM users_tokens WHERE user_id = $1", [who.id])).toEqual([
      { context: "session" },
    ]);
    const emails = await query("SELECT kind, sent_to FROM mail_outbox WHERE user_id = $1", [who.id]);
    expect(emails).toEqual([{ kind: "password_changed", sent_to: who.email }]);
  });

  it("drops queued emails with links, and doesn't confirm the account", async () => {
    const { who, ctx } = await logIn();
    await world.server.database.query('UPDATE "user" SET confirmed_at = NULL WHERE id = $1', [who.id]);
    await requestEmailChange(ctx, `next-${who.id}@example.com`);
    await change(ctx, who);
    const { mailOutbox, user } = ctx.db;
    expect(await mailOutbox.count({ where: { userId: who.id, kind: "email_change" } })).toBe(0);
    expect(await user.findFirst({ where: { id: who.id } })).toMatchObject({ confirmedAt: null });
  });

  it("reports all problems with the new password at once", async () => {
    const { who, ctx } = await logIn();
    await expect(change(ctx, who, { newPassword: "short" })).rejects.toMatchObject({
      code: "validation_failed",
      details: { errors: [{ field: "newPassword" }, { field: "newPasswordConfirmation" }] },
    });
  });

  it.each([
    ["a wrong current password", { currentPassword: "wrong" }, "currentPassword"],
    ["a short one", { newPassword: "short", newPasswordConfirmation: "short" }, "newPassword"],
    [
      "a common one",
      { newPassword: "password123456", newPasswordConfirmation: "password123456" },
      "newPassword",
    ],
    ["another confirmation", { newPasswordConfirmation: "not the same one" }, "newPasswordConfirmation"],
  ])("rejects %s and changes nothing", async (_what, input, field) => {
    const { who, token, ctx, handed } = await logIn();
    await expect(change(ctx, who, input)).rejects.toMatchObject({
      code: "validation_failed",
      details: { field },
    });
    expect(handed).toEqual([]);
    expect(await isSessionValid(token)).toBe(true);
    expect(await logInAs(world.server, who)).not.toBeNull();
  });

  it.each([
    ["an empty current password", { currentPassword: "" }, "currentPassword"],
    ["one that is too long", { currentPassword: "x".repeat(129) }, "currentPassword"],
    ["a short new password", { newPassword: "short", newPasswordConfirmation: "short" }, "newPassword"],
    ["another confirmation", { newPasswordConfirmation: "not the same one" }, "newPasswordConfirmation"],
  ])("rejects %s without verifying or counting anything", async (_what, input, field) => {
    const { who, ctx } = await logIn();
    const { services, database } = world.server;
    const verify = () => Promise.reject(new Error("a password was verified"));
    const form = { currentPassword: who.password, newPassword: NEW, newPasswordConfirmation: NEW };
    const asked = { ...services, passwords: { ...services.passwords, verify } };
    const before = await database.query("SELECT * FROM throttle ORDER BY key");
    await expect(changePassword(ctx, asked, { ...form, ...input })).rejects.toMatchObject({
      details: { field },
    });
    expect(await database.query("SELECT * FROM throttle ORDER BY key")).toEqual(before);
  });

  it("accepts one of two concurrent changes", async () => {
    const { who, token, ctx } = await logIn();
    const second = await openSessionCtx(world.server, token);
    const codes = await Promise.all([getErrorCode(change(ctx, who)), getErrorCode(change(second, who))]);
    const [won, lost] = codes.toSorted();
    expect(won).toBe("");
    // The other may notice it before it begins.
    expect(["invalid_state", "unavailable"]).toContain(lost);
  });

  it("changes nothing if the password was changed after the current one was verified", async () => {
    const { who, ctx, handed } = await logIn();
    const { services, database } = world.server;
    const hash: typeof services.passwords.hash = async (...asked) => {
      await database.query('UPDATE "user" SET auth_epoch = auth_epoch + 1 WHERE id = $1', [who.id]);
      return services.passwords.hash(...asked);
    };
    const raced = { ...services, passwords: { ...services.passwords, hash } };
    const form = { currentPassword: who.password, newPassword: NEW, newPasswordConfirmation: NEW };
    expect(await getErrorCode(changePassword(ctx, raced, form))).toBe("invalid_state");
    expect(handed).toEqual([]);
    expect(await logInAs(world.server, who)).not.toBeNull();
  });

  it("does not count passwords that could not be verified as wrong ones", async () => {
    const { who, ctx } = await logIn();
    const { services } = world.server;
    const verify = () => Promise.reject(new Error("no memory"));
    const broken = { ...services, passwords: { ...services.passwords, verify } };
    const form = { currentPassword: who.password, newPassword: NEW, newPasswordConfirmation: NEW };
    for (let tries = 0; tries < 11; tries++) {
      await expect(changePassword(ctx, broken, form)).rejects.toThrow("no memory");
    }
    await change(ctx, who);
  });

  it("rejects anyone but a user", async () => {
    const who = { id: "", workspaceId: "", email: "", password: "" };
    expect(await getErrorCode(change(world.ctx, who))).toBe("forbidden");
  });
});
