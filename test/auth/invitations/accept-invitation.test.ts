import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acceptInvitation } from "../../../src/auth/invitations/accept-invitation.ts";
import { readInvitation } from "../../../src/auth/invitations/read-invitation.ts";
import { deliverEmails } from "../../../src/auth/emails/deliver-emails.ts";
import { completeReset } from "../../../src/auth/reset/complete-reset.ts";
import { logIn } from "../../../src/auth/sessions/log-in.ts";
import { queueEmail } from "../../../src/domain/emails/queue-email.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { getErrorCode } from "../../support/callers.ts";
import { type MailMember, type MailWorld, openMailWorld } from "../../support/mail-world.ts";

const PASSWORD = "another shore at dusk";
const SEEN = { ip: null, userAgent: null, requestId: null };

let world: MailWorld;
let member: MailMember;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  world.api.reset();
  member = await world.createMember(undefined, { confirmed: false });
  await member.ctx.db.user.updateMany({
    where: { id: member.id },
    data: { hashedPassword: null, name: null },
  });
});

/** Delivers an invitation. @returns its token. */
async function invite(): Promise<string> {
  const due = { userId: member.id, sentTo: member.email, authEpoch: 0 };
  await member.ctx.transaction((tx) =>
    queueEmail(tx, { ...due, kind: "invitation", data: { invitedBy: "Grace" } }),
  );
  await deliverEmails(world.services);
  const message = world.api.emails.at(-1);
  if (message?.to !== member.email) throw new Error("no invitation came");
  return message.token;
}

function accept(token: string, input: { name?: string; password?: string } = {}, services = world.services) {
  const typed = { password: PASSWORD, passwordConfirmation: input.password ?? PASSWORD, ...input };
  return acceptInvitation(services, { token, ...typed }, SEEN);
}

function userRow() {
  return member.ctx.db.user.findFirstOrThrow({ where: { id: member.id } });
}

describe("readInvitation", () => {
  it("returns workspace and address of a valid link, any number of times", async () => {
    const token = await invite();
    for (let n = 0; n < 3; n++) {
      expect(await readInvitation(world.services, token)).toEqual({
        workspaceName: "Acme",
        email: member.email,
      });
    }
  });

  it("returns nothing for any other link", async () => {
    const reset = await world.resetLinkFor(member.email);
    for (const token of ["", "A".repeat(43), reset]) {
      expect(await readInvitation(world.services, token)).toBeNull();
    }
  });
});

describe("acceptInvitation", () => {
  it("sets password and name, confirms the account, and logs in", async () => {
    expect(await accept(await invite(), { name: "Ada" })).toBe("done");
    expect(await userRow()).toMatchObject({ name: "Ada", confirmedAt: expect.any(Date), authEpoch: 1 });
    const input = { email: member.email, password: PASSWORD, remember: false, workspaceId: null };
    expect((await logIn(world.services, { ...input, replaces: null }, SEEN)).outcome).toBe("in");
    const audited = "SELECT action FROM audit_event WHERE target_id = $1 AND action LIKE 'user.invitation%'";
    expect(await world.database.query(audited, [member.id])).toEqual([
      { action: "user.invitation_accepted" },
    ]);
  });

  it("keeps the invitation's name if none is entered", async () => {
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { name: "Augusta" } });
    expect(await accept(await invite())).toBe("done");
    expect((await userRow()).name).toBe("Augusta");
  });

  it("works once, and uses up the user's other links", async () => {
    const [first, second] = [await invite(), await invite()];
    const reset = await world.resetLinkFor(member.email);
    expect(await accept(first)).toBe("done");
    for (const token of [first, second]) expect(await accept(token)).toBe("invalid");
    const again = { token: reset, password: PASSWORD, passwordConfirmation: PASSWORD };
    expect(await completeReset(world.services, again, SEEN)).toBe("invalid");
    expect((await userRow()).authEpoch).toBe(1);
  });

  it("accepts one of four concurrent requests on two nodes", async () => {
    const [first, second] = [await invite(), await invite()];
    const nodes = [world.services, world.second];
    const outcomes = await Promise.all(
      [first, second, first, second].map((token, n) => accept(token, {}, nodes[n % 2])),
    );
    expect(outcomes.toSorted()).toEqual(["done", "invalid", "invalid", "invalid"]);
  });

  it("rejects an invalid password or name, and the link stays valid", async () => {
    const token = await invite();
    expect(await getErrorCode(accept(token, { password: "short" }))).toBe("validation_failed");
    expect(await getErrorCode(accept(token, { name: "" }))).toBe("validation_failed");
    expect(await getErrorCode(accept(token, { name: "x".repeat(101) }))).toBe("validation_failed");
    expect(await accept(token)).toBe("done");
  });

  it("is invalid after seven days, and after a suspension even if reactivated", async () => {
    const token = await invite();
    expect(await accept(token, {}, world.at(new Date(Date.now() + 7 * 86_400_000)))).toBe("invalid");
    await deactivateUser(member.ctx, member.id);
    await member.ctx.db.user.updateMany({ where: { id: member.id }, data: { suspendedAt: null } });
    expect(await accept(token)).toBe("invalid");
    expect((await userRow()).hashedPassword).toBeNull();
  });
});
