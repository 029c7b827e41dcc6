import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { completeEmailChange } from "../../../src/auth/email-change/complete-email-change.ts";
import { isEmailChangeLinkValid } from "../../../src/auth/email-change/is-email-change-link-valid.ts";
import { maskEmail } from "../../../src/domain/emails/mask-email.ts";
import { requestEmailChange } from "../../../src/auth/email-change/request-email-change.ts";
import { deliverEmails } from "../../../src/auth/emails/deliver-emails.ts";
import { isResetLinkValid } from "../../../src/auth/reset/is-reset-link-valid.ts";
import { logIn } from "../../../src/auth/sessions/log-in.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { getErrorCode } from "../../support/callers.ts";
import { type MailMember, OLD_PASSWORD, type MailWorld, openMailWorld } from "../../support/mail-world.ts";

const SEEN = { ip: "192.0.2.7", userAgent: null, requestId: null };

let world: MailWorld;
let member: MailMember;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

let made = 0;
let wanted: string;

beforeEach(async () => {
  world.api.reset();
  member = await world.createMember();
  wanted = `wanted-${made++}@example.com`;
});

/** A member's context with or without a recent password. */
function asMember({ id, ctx }: MailMember = member, isSudo = true): Ctx {
  const session = { id: crypto.randomUUID(), familyId: crypto.randomUUID(), isSudo, needsFactor: false };
  return openCtx(world.services, {
    ...ctx,
    actor: { type: "user", id, name: "Ada", role: "viewer", session },
  });
}

/** Requests the change and delivers its email. @returns the token. */
async function ask(email = wanted, by = asMember()): Promise<string> {
  await requestEmailChange(by, email);
  await deliverEmails(world.services);
  // Emails of other tests may be due too.
  const message = world.api.emails.findLast(({ to }) => to === email);
  if (message === undefined) throw new Error("no email arrived");
  return message.token;
}

function follow(token: string, services = world.services) {
  return completeEmailChange(services, token, SEEN);
}

async function readEmail({ id, ctx }: MailMember = member): Promise<string | null> {
  return (await ctx.db.user.findFirstOrThrow({ where: { id } })).email;
}

describe("requestEmailChange", () => {
  it("sends a link to the new address, and changes nothing yet", async () => {
    const token = await ask();
    expect(world.api.emails[0]?.form["text"]).toContain(
      `https://ops.example.com/users/confirm-email/${token}`,
    );
    expect(await readEmail()).toBe(member.email);
    expect(await isEmailChangeLinkValid(world.services, token)).toBe(true);
  });

  it("has the same result for another member's address", async () => {
    const other = await world.createMember(wanted, { workspaceId: member.workspaceId });
    const token = await ask();
    expect(await isEmailChangeLinkValid(world.services, token)).toBe(true);
    expect(await follow(token)).toBe("invalid");
    expect([await readEmail(), await readEmail(other)]).toEqual([member.email, wanted]);
  });

  it("keeps only the latest link valid", async () => {
    const slip = await ask(`slip-${wanted}`);
    const token = await ask();
    expect(await follow(slip)).toBe("invalid");
    expect(await follow(token)).toBe("done");
  });

  it("rejects invalid addresses and the current one", async () => {
    for (const email of ["", "ada", "ada@", "a@b@c", "ada@example.com\0", `${"a".repeat(150)}@example.com`]) {
      expect(await getErrorCode(requestEmailChange(asMember(), email))).toBe("validation_failed");
    }
    expect(await getErrorCode(requestEmailChange(asMember(), member.email))).toBe("validation_failed");
  });

  it("requires a user with a recent password", async () => {
    expect(await getErrorCode(requestEmailChange(asMember(member, false), wanted))).toBe("sudo_required");
    expect(await getErrorCode(requestEmailChange(member.ctx, wanted))).toBe("forbidden");
  });

  it("rejects the sixth request within 15 minutes", async () => {
    for (let n = 0; n < 5; n++) await ask(`${n}-${wanted}`);
    expect(await getErrorCode(requestEmailChange(asMember(), wanted))).toBe("rate_limited");
  });

  it("sends at most five emails to an address within 15 minutes, whoever requests them", async () => {
    for (let n = 0; n < 5; n++) await ask(wanted, asMember(await world.createMember()));
    const sixth = await world.createMember();
    expect(await getErrorCode(requestEmailChange(asMember(sixth), wanted.toUpperCase()))).toBe(
      "rate_limited",
    );
    expect(await getErrorCode(requestEmailChange(asMember(sixth), `other-${wanted}`))).toBe("");
  });
});

describe("completeEmailChange", () => {
  it("changes the address, and notifies the old one without naming the new one", async () => {
    expect(await follow(await ask())).toBe("done");
    expect(await readEmail()).toBe(wanted);
    await deliverEmails(world.services);
    const message = world.api.emails.findLast(({ to }) => to === member.email);
    expect(message?.form["text"]).toContain("w***@e***.com");
    expect(message?.form["text"]).not.toContain(wanted);
    const audited =
      "SELECT actor ->> 'id' AS by, ip FROM audit_event WHERE target_id = $1 AND action = 'user.email_changed'";
    expect(await world.database.query(audited, [member.id])).toEqual([{ by: member.id, ip: SEEN.ip }]);
  });

  it("invalidates every sent link, but no session", async () => {
    const input = { email: member.email, password: OLD_PASSWORD, remember: false, workspaceId: null };
    await logIn(world.services, { ...input, replaces: null }, SEEN);
    const reset = await world.resetLinkFor(member.email);
    await follow(await ask());
    expect(await isResetLinkValid(world.services, reset)).toBe(false);
    const left = await world.database.query("SELECT context FROM users_tokens WHERE user_id = $1", [
      member.id,
    ]);
    expect(left).toEqual([{ context: "session" }]);
  });

  it("accepts another case of the same address as a change", async () => {
    const reset = await world.resetLinkFor(member.email);
    expect(await follow(await ask(member.email.toUpperCase()))).toBe("done");
    expect(await readEmail()).toBe(member.email.toUpperCase());
    expect(await isResetLinkValid(world.services, reset)).toBe(false);
  });

  it("works once, also for four concurrent requests on two nodes", async () => {
    const token = await ask();
    const nodes = [world.services, world.second];
    const outcomes = await Promise.all([0, 1, 2, 3].map((n) => follow(token, nodes[n % 2])));
    expect(outcomes.toSorted()).toEqual(["done", "invalid", "invalid", "invalid"]);
    expect(await follow(token)).toBe("invalid");
  });

  it("gives an address to only one of two concurrent members", async () => {
    const other = await world.createMember(undefined, { workspaceId: member.workspaceId });
    const tokens = [await ask(), await ask(wanted, asMember(other))];
    const outcomes = await Promise.all(tokens.map((token) => follow(token)));
    expect(outcomes.toSorted()).toEqual(["done", "invalid"]);
  });

  it("is invalid after 24 hours, after a suspension, and for any other token", async () => {
    const token = await ask();
    expect(await follow(token, world.at(new Date(Date.now() + 86_400_000)))).toBe("invalid");
    expect(await follow(await world.resetLinkFor(member.email))).toBe("invalid");
    for (const other of ["", "A".repeat(43)]) expect(await follow(other)).toBe("invalid");
    await deactivateUser(member.ctx, member.id);
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { suspendedAt: null } });
    expect(await follow(token)).toBe("invalid");
    expect(await readEmail()).toBe(member.email);
  });
});

describe("maskEmail", () => {
  it.each([
    ["ada@example.com", "a***@e***.com"],
    ["a@b", "a***@b***"],
    ["🔑key@mail.example.co.uk", "🔑***@m***.uk"],
  ])("masks %s as %s", (email, hidden) => {
    expect(maskEmail(email)).toBe(hidden);
  });
});
