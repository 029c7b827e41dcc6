import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenServices } from "../../../src/services.ts";
import { deliverEmails } from "../../../src/auth/emails/deliver-emails.ts";
import { completeReset } from "../../../src/auth/reset/complete-reset.ts";
import { isResetLinkValid } from "../../../src/auth/reset/is-reset-link-valid.ts";
import { type LogInOutcome, logIn } from "../../../src/auth/sessions/log-in.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { lockUser } from "../../../src/domain/users/lock-user.ts";
import { setEmail } from "../../../src/domain/users/set-email.ts";
import { type MailMember, OLD_PASSWORD, type MailWorld, openMailWorld } from "../../support/mail-world.ts";

const NEW_PASSWORD = "another shore at dusk";
const SEEN = { ip: "192.0.2.7", userAgent: "A browser of a test", requestId: "request-1" };

let world: MailWorld;
let member: MailMember;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.api.reset();
  member = await world.createMember();
});

function follow(token: string, services: OpenServices = world.services, password = NEW_PASSWORD) {
  return completeReset(services, { token, password, passwordConfirmation: password }, SEEN);
}

/** Invalid on the page, and when submitted. */
async function expectInvalidLink(token: string, services: OpenServices = world.services): Promise<void> {
  expect(await isResetLinkValid(services, token)).toBe(false);
  expect(await follow(token, services)).toBe("invalid");
}

function logInWith(password: string): Promise<LogInOutcome> {
  const input = { email: member.email, password, remember: false, workspaceId: null, replaces: null };
  return logIn(world.services, input, SEEN);
}

async function moveTo(email: string): Promise<void> {
  await member.ctx.transaction(async (tx) => {
    await lockUser(tx, member.id);
    await setEmail(tx, member.id, email);
  });
}

async function readRows<Row extends object>(text: string): Promise<Row[]> {
  return world.database.query<Row>(text, [member.id]);
}

function userRow() {
  return member.ctx.db.user.findFirstOrThrow({ where: { id: member.id } });
}

describe("a reset link: none -> issued", () => {
  it("is sent to the stored address of an account, whatever case was requested", async () => {
    const token = await world.resetLinkFor(member.email.toUpperCase());
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(world.api.emails.map(({ to }) => to)).toEqual([member.email]);
    expect(await isResetLinkValid(world.services, token)).toBe(true);
  });

  it("is not sent for an address without an account", async () => {
    expect(await world.askForReset("nobody@example.com")).toBe(0);
    expect(world.api.requests).toEqual([]);
  });
});

describe("a reset link: issued -> used", () => {
  it("sets the password, and logs nobody in", async () => {
    const token = await world.resetLinkFor(member.email);
    expect(await follow(token)).toBe("done");
    expect((await logInWith(OLD_PASSWORD)).outcome).toBe("refused");
    expect((await readRows("SELECT 1 FROM users_tokens WHERE user_id = $1")).length).toBe(0);
    expect((await logInWith(NEW_PASSWORD)).outcome).toBe("in");
  });

  it("deletes every token the user holds: the other links and all sessions", async () => {
    const other = await world.createMember();
    const othersLink = await world.resetLinkFor(other.email);
    await logInWith(OLD_PASSWORD);
    await logInWith(OLD_PASSWORD);
    const [first, second] = [await world.resetLinkFor(member.email), await world.resetLinkFor(member.email)];
    expect((await readRows("SELECT 1 FROM users_tokens WHERE user_id = $1")).length).toBe(4);
    expect(await follow(first)).toBe("done");
    expect(await readRows("SELECT 1 FROM users_tokens WHERE user_id = $1")).toEqual([]);
    await expectInvalidLink(second);
    expect(await isResetLinkValid(world.services, othersLink)).toBe(true);
  });

  it("disconnects live sessions on every node", async () => {
    expect(await follow(await world.resetLinkFor(member.email))).toBe("done");
    expect(await readRows("SELECT kind, reason FROM revocation WHERE subject_id = $1")).toEqual([
      { kind: "user", reason: "password_reset" },
    ]);
  });

  it("confirms an unconfirmed account, and keeps the time of a confirmed one", async () => {
    const before = (await userRow()).confirmedAt;
    await follow(await world.resetLinkFor(member.email));
    expect((await userRow()).confirmedAt).toEqual(before);
    member = await world.createMember(undefined, { confirmed: false });
    expect((await userRow()).confirmedAt).toBeNull();
    await follow(await world.resetLinkFor(member.email));
    expect((await userRow()).confirmedAt).toBeInstanceOf(Date);
  });

  it("writes one event, one audit event and an email", async () => {
    await follow(await world.resetLinkFor(member.email));
    const type = "user.password_reset";
    const { generation } = await userRow();
    expect(await readRows(`SELECT type, data FROM event WHERE subject_id = $1 AND type = '${type}'`)).toEqual(
      [{ type, data: { generation } }],
    );
    const audited =
      "SELECT actor, ip, user_agent, request_id, changes FROM audit_event WHERE target_id = $1::text";
    expect(await readRows(`${audited} AND action = '${type}'`)).toEqual([
      {
        actor: { type: "user", id: member.id, name: "Ada" },
        ...{ ip: SEEN.ip, user_agent: SEEN.userAgent, request_id: SEEN.requestId },
        changes: { confirmed: false },
      },
    ]);
    await deliverEmails(world.services);
    const message = world.api.emails.findLast(({ to }) => to === member.email);
    expect(message?.form).toMatchObject({ subject: "Your password was changed" });
    expect(message?.form["text"]).toContain("192.0.2.7");
    expect(message?.form["text"]).toContain("https://ops.example.com/users/forgot-password");
  });

  it("forgets failed log-ins, so that a locked-out user can log in again", async () => {
    for (let n = 0; n < 10; n++) await logInWith("not the password");
    expect((await logInWith(OLD_PASSWORD)).outcome).toBe("refused");
    await follow(await world.resetLinkFor(member.email));
    expect((await logInWith(NEW_PASSWORD)).outcome).toBe("in");
  });

  it("sets a password for a user without one", async () => {
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { hashedPassword: null } });
    expect(await follow(await world.resetLinkFor(member.email))).toBe("done");
    expect((await logInWith(NEW_PASSWORD)).outcome).toBe("in");
  });
});

describe("a reset link: issued -> expired", () => {
  it("works until just before 60 minutes", async () => {
    const [token, another] = [await world.resetLinkFor(member.email), await world.resetLinkFor(member.email)];
    const rows = await readRows<{ issued: Date }>(
      "SELECT created_at AS issued FROM users_tokens WHERE user_id = $1 ORDER BY created_at, id",
    );
    const after = (n: number, ms: number) => world.at(new Date((rows[n]?.issued.getTime() ?? 0) + ms));
    expect(await isResetLinkValid(after(0, 3_599_999), token)).toBe(true);
    await expectInvalidLink(token, after(0, 3_600_000));
    expect(await follow(another, after(1, 3_599_999))).toBe("done");
  });
});

describe("a reset link: issued -> invalidated by a change of the address", () => {
  it("is invalid, even if the address changes back", async () => {
    const { email } = member;
    const token = await world.resetLinkFor(email);
    await moveTo(`moved-${email}`);
    await expectInvalidLink(token);
    await moveTo(email);
    await expectInvalidLink(token);
  });

  it("is invalid if only the case of the address has changed", async () => {
    const token = await world.resetLinkFor(member.email);
    await moveTo(member.email.toUpperCase());
    await expectInvalidLink(token);
  });
});

describe("a reset link: issued, and the address has changed in any way", () => {
  it("is invalid", async () => {
    const token = await world.resetLinkFor(member.email);
    await world.database.query(`UPDATE "user" SET email = 'elsewhere@example.com' WHERE id = $1`, [
      member.id,
    ]);
    await expectInvalidLink(token);
  });
});

describe("a reset link: issued -> invalidated by a suspension", () => {
  it("is invalid, even if the user is reactivated", async () => {
    const token = await world.resetLinkFor(member.email);
    await deactivateUser(member.ctx, member.id);
    await expectInvalidLink(token);
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { suspendedAt: null } });
    await expectInvalidLink(token);
    expect(await follow(await world.resetLinkFor(member.email))).toBe("done");
  });

  it("is not sent while the user is suspended", async () => {
    await deactivateUser(member.ctx, member.id);
    expect(await world.askForReset(member.email)).toBe(0);
    expect(world.api.requests).toEqual([]);
  });

  it("does not work while the workspace is suspended", async () => {
    const token = await world.resetLinkFor(member.email);
    const suspend = (at: Date | null) => member.ctx.db.workspace.updateMany({ data: { suspendedAt: at } });
    await suspend(new Date());
    await expectInvalidLink(token);
    await suspend(null);
    expect(await follow(token)).toBe("done");
  });
});

describe("a reset link: issued, and another is requested", () => {
  it("keeps working, and so does the other until one of them is used", async () => {
    const tokens: string[] = [];
    for (let n = 0; n < 5; n++) tokens.push(await world.resetLinkFor(member.email));
    for (const token of tokens) expect(await isResetLinkValid(world.services, token)).toBe(true);
    expect(await follow(tokens[0] ?? "")).toBe("done");
    for (const token of tokens) await expectInvalidLink(token);
  });
});

describe("a reset link: used, and followed again", () => {
  it("is invalid, and nothing changes", async () => {
    const token = await world.resetLinkFor(member.email);
    await follow(token);
    const before = await userRow();
    expect(await follow(token, world.services, "a third password here")).toBe("invalid");
    expect(await userRow()).toEqual(before);
  });
});
