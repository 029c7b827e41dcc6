import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { completeEmailChange } from "../../../src/auth/email-change/complete-email-change.ts";
import { isEmailChangeAlive } from "../../../src/auth/email-change/is-email-change-alive.ts";
import { maskEmail } from "../../../src/domain/letters/mask-email.ts";
import { requestEmailChange } from "../../../src/auth/email-change/request-email-change.ts";
import { deliverLetters } from "../../../src/auth/letters/deliver-letters.ts";
import { isResetLinkAlive } from "../../../src/auth/reset/is-reset-link-alive.ts";
import { logIn } from "../../../src/auth/sessions/log-in.ts";
import { type Ctx, openCtx } from "../../../src/domain/context.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { codeOf } from "../../support/callers.ts";
import { type Member, OLD_PASSWORD, type PostOffice, openPostOffice } from "../../support/post-office.ts";

const SEEN = { ip: "192.0.2.7", userAgent: null, requestId: null };

let office: PostOffice;
let member: Member;

beforeAll(async () => {
  office = await openPostOffice();
});

afterAll(() => office.close());

let made = 0;
let wanted: string;

beforeEach(async () => {
  office.api.reset();
  member = await office.createMember();
  wanted = `wanted-${made++}@example.com`;
});

/** The context of a member who has just given the password, or not. */
function asMember({ id, ctx }: Member = member, isSudo = true): Ctx {
  const session = { id: crypto.randomUUID(), familyId: crypto.randomUUID(), isSudo };
  return openCtx(office.services, {
    ...ctx,
    actor: { type: "user", id, name: "Ada", role: "viewer", session },
  });
}

/** Asks for the change and has its letter delivered. @returns the token. */
async function ask(email = wanted, by = asMember()): Promise<string> {
  await requestEmailChange(by, email);
  await deliverLetters(office.services);
  const letter = office.api.letters.at(-1);
  if (letter?.to !== email) throw new Error("no letter came");
  return letter.token;
}

function follow(token: string, services = office.services) {
  return completeEmailChange(services, token, SEEN);
}

async function emailOf({ id, ctx }: Member = member): Promise<string | null> {
  return (await ctx.db.user.findFirstOrThrow({ where: { id } })).email;
}

describe("requestEmailChange", () => {
  it("mails a link to the new address, and changes nothing yet", async () => {
    const token = await ask();
    expect(office.api.letters[0]?.form["text"]).toContain(
      `https://ops.example.com/users/confirm-email/${token}`,
    );
    expect(await emailOf()).toBe(member.email);
    expect(await isEmailChangeAlive(office.services, token)).toBe(true);
  });

  it("has the same outcome for an address that another member has", async () => {
    const other = await office.createMember(wanted, { workspaceId: member.workspaceId });
    const token = await ask();
    expect(await isEmailChangeAlive(office.services, token)).toBe(true);
    expect(await follow(token)).toBe("dead");
    expect([await emailOf(), await emailOf(other)]).toEqual([member.email, wanted]);
  });

  it("leaves the link of the last request alone alive", async () => {
    const slip = await ask(`slip-${wanted}`);
    const token = await ask();
    expect(await follow(slip)).toBe("dead");
    expect(await follow(token)).toBe("done");
  });

  it("refuses what is no address, and the address that one has", async () => {
    for (const email of ["", "ada", "ada@", "a@b@c", "ada@example.com\0", `${"a".repeat(150)}@example.com`]) {
      expect(await codeOf(requestEmailChange(asMember(), email))).toBe("validation_failed");
    }
    expect(await codeOf(requestEmailChange(asMember(), member.email))).toBe("validation_failed");
  });

  it("refuses who has not just given the password, and whoever is no person", async () => {
    expect(await codeOf(requestEmailChange(asMember(member, false), wanted))).toBe("sudo_required");
    expect(await codeOf(requestEmailChange(member.ctx, wanted))).toBe("forbidden");
  });

  it("refuses the sixth request within 15 minutes", async () => {
    for (let n = 0; n < 5; n++) await ask(`${n}-${wanted}`);
    expect(await codeOf(requestEmailChange(asMember(), wanted))).toBe("rate_limited");
  });

  it("sends a stranger's address five letters within 15 minutes, whoever asks", async () => {
    for (let n = 0; n < 5; n++) await ask(wanted, asMember(await office.createMember()));
    const sixth = await office.createMember();
    expect(await codeOf(requestEmailChange(asMember(sixth), wanted.toUpperCase()))).toBe("rate_limited");
    expect(await codeOf(requestEmailChange(asMember(sixth), `other-${wanted}`))).toBe("");
  });
});

describe("completeEmailChange", () => {
  it("moves the person to the new address, for good, and tells the old one without naming the new", async () => {
    expect(await follow(await ask())).toBe("done");
    expect(await emailOf()).toBe(wanted);
    await deliverLetters(office.services);
    const letter = office.api.letters.at(-1);
    expect(letter?.to).toBe(member.email);
    expect(letter?.form["text"]).toContain("w***@e***.com");
    expect(letter?.form["text"]).not.toContain(wanted);
    const audited =
      "SELECT actor ->> 'id' AS by, ip FROM audit_event WHERE target_id = $1 AND action = 'user.email_changed'";
    expect(await office.database.query(audited, [member.id])).toEqual([{ by: member.id, ip: SEEN.ip }]);
  });

  it("ends every mailed link and no session", async () => {
    const input = { email: member.email, password: OLD_PASSWORD, remember: false, workspaceId: null };
    await logIn(office.services, { ...input, replaces: null }, SEEN);
    const reset = await office.resetLinkFor(member.email);
    await follow(await ask());
    expect(await isResetLinkAlive(office.services, reset)).toBe(false);
    const left = await office.database.query("SELECT context FROM users_tokens WHERE user_id = $1", [
      member.id,
    ]);
    expect(left).toEqual([{ context: "session" }]);
  });

  it("takes another case of the same address for a change", async () => {
    const reset = await office.resetLinkFor(member.email);
    expect(await follow(await ask(member.email.toUpperCase()))).toBe("done");
    expect(await emailOf()).toBe(member.email.toUpperCase());
    expect(await isResetLinkAlive(office.services, reset)).toBe(false);
  });

  it("works once, and for one of four at once on two nodes", async () => {
    const token = await ask();
    const nodes = [office.services, office.second];
    const outcomes = await Promise.all([0, 1, 2, 3].map((n) => follow(token, nodes[n % 2])));
    expect(outcomes.toSorted()).toEqual(["dead", "dead", "dead", "done"]);
    expect(await follow(token)).toBe("dead");
  });

  it("gives an address to one of two members who want it at once", async () => {
    const other = await office.createMember(undefined, { workspaceId: member.workspaceId });
    const tokens = [await ask(), await ask(wanted, asMember(other))];
    const outcomes = await Promise.all(tokens.map((token) => follow(token)));
    expect(outcomes.toSorted()).toEqual(["dead", "done"]);
  });

  it("is dead after 24 hours, after a suspension, and for any other token", async () => {
    const token = await ask();
    expect(await follow(token, office.at(new Date(Date.now() + 86_400_000)))).toBe("dead");
    expect(await follow(await office.resetLinkFor(member.email))).toBe("dead");
    for (const other of ["", "A".repeat(43)]) expect(await follow(other)).toBe("dead");
    await deactivateUser(member.ctx, member.id);
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { suspendedAt: null } });
    expect(await follow(token)).toBe("dead");
    expect(await emailOf()).toBe(member.email);
  });
});

describe("maskEmail", () => {
  it.each([
    ["ada@example.com", "a***@e***.com"],
    ["a@b", "a***@b***"],
    ["🔑key@mail.example.co.uk", "🔑***@m***.uk"],
  ])("masks %s as %s", (email, masked) => {
    expect(maskEmail(email)).toBe(masked);
  });
});
