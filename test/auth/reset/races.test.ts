import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeReset } from "../../../src/auth/reset/complete-reset.ts";
import { type LogInOutcome, logIn } from "../../../src/auth/sessions/log-in.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { lockUser } from "../../../src/domain/users/lock-user.ts";
import { setEmail } from "../../../src/domain/users/set-email.ts";
import { holdLock, lockTable } from "../../support/locked-table.ts";
import { type MailMember, OLD_PASSWORD, type MailWorld, openMailWorld } from "../../support/mail-world.ts";

const SEEN = { ip: null, userAgent: null, requestId: null };
const ROUNDS = 8;

let world: MailWorld;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

/** Follows a link on the first or second node. */
function follow(token: string, n: number, password = `password number ${n} of many`) {
  const node = n % 2 === 0 ? world.services : world.second;
  return completeReset(node, { token, password, passwordConfirmation: password }, SEEN);
}

async function countTokens({ id }: MailMember): Promise<number> {
  return (await world.database.query("SELECT 1 FROM users_tokens WHERE user_id = $1", [id])).length;
}

async function hasPassword({ ctx, id }: MailMember, password: string): Promise<boolean> {
  const { hashedPassword } = await ctx.db.user.findFirstOrThrow({ where: { id } });
  return world.services.passwords.verify(hashedPassword ?? "", password);
}

async function countResets({ id }: MailMember): Promise<number> {
  const statement = "SELECT 1 FROM audit_event WHERE target_id = $1 AND action = 'user.password_reset'";
  return (await world.database.query(statement, [id])).length;
}

async function expectOneWinner(member: MailMember, outcomes: ("done" | "invalid")[]): Promise<void> {
  expect(outcomes.toSorted()).toEqual(["done", ...Array<string>(outcomes.length - 1).fill("invalid")]);
  expect(await hasPassword(member, `password number ${outcomes.indexOf("done")} of many`)).toBe(true);
  expect(await countTokens(member)).toBe(0);
  expect(await countResets(member)).toBe(1);
}

describe("concurrent resets on two nodes", () => {
  it("accept one of two submissions of a link, with its password", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const member = await world.createMember();
      const token = await world.resetLinkFor(member.email);
      await expectOneWinner(member, await Promise.all([follow(token, 0), follow(token, 1)]));
    }
  }, 60_000);

  it("accept one of four submissions of two links of a user", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const member = await world.createMember();
      const [one, two] = [await world.resetLinkFor(member.email), await world.resetLinkFor(member.email)];
      const outcomes = await Promise.all([one, two, two, one].map((token, n) => follow(token, n)));
      await expectOneWinner(member, outcomes);
    }
  }, 60_000);

  it("accept one if all have found the link valid before the first writes", async () => {
    const member = await world.createMember();
    const links = [await world.resetLinkFor(member.email), await world.resetLinkFor(member.email)];
    // Requests that have checked the link and hashed the password wait here for the user's row.
    const locked = await lockTable(world.database, "mail_outbox");
    const racing = Promise.all([...links, ...links].map((token, n) => follow(token, n)));
    await locked.waiters(4);
    await locked.release();
    await expectOneWinner(member, await racing);
  }, 60_000);
});

/** Logs in with the old password on the second node. */
function enter({ email }: MailMember): Promise<LogInOutcome> {
  const input = { email, password: OLD_PASSWORD, remember: false, workspaceId: null, replaces: null };
  return logIn(world.second, input, SEEN);
}

describe("a log-in during a reset", () => {
  it("leaves no session of the old password, in any order", async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const member = await world.createMember();
      const token = await world.resetLinkFor(member.email);
      const [{ outcome }, done] = await Promise.all([enter(member), follow(token, 0)]);
      outcomes.add(outcome);
      expect(done).toBe("done");
      expect(await countTokens(member)).toBe(0);
      expect(await hasPassword(member, "password number 0 of many")).toBe(true);
    }
    expect([...outcomes].every((outcome) => ["in", "refused"].includes(outcome))).toBe(true);
  }, 60_000);

  it("ends the session of a log-in that was first to lock the user", async () => {
    const member = await world.createMember();
    const token = await world.resetLinkFor(member.email);
    // The log-in reads the audit log for known browsers, and holds the user's row.
    const locked = await lockTable(world.database, "audit_event");
    const loggingIn = enter(member);
    await locked.waiters(1);
    const resetting = follow(token, 0);
    await locked.waiters(2);
    await locked.release();
    expect((await loggingIn).outcome).toBe("in");
    expect(await resetting).toBe("done");
    expect(await countTokens(member)).toBe(0);
  }, 60_000);

  it("rejects a log-in of a user who is deleted meanwhile", async () => {
    const member = await world.createMember();
    // The log-in has verified the password and waits for the user's row.
    const locked = await holdLock(world.database, 'SELECT 1 FROM "user" WHERE id = $1 FOR UPDATE', [
      member.id,
    ]);
    const loggingIn = enter(member);
    await locked.waiters(1);
    await locked.query('UPDATE "user" SET deleted_at = now(), suspended_at = now() WHERE id = $1', [
      member.id,
    ]);
    await locked.release();
    expect((await loggingIn).outcome).toBe("refused");
    expect(await countTokens(member)).toBe(0);
  }, 60_000);

  it("rejects a log-in while the reset is written", async () => {
    const member = await world.createMember();
    const token = await world.resetLinkFor(member.email);
    const locked = await lockTable(world.database, "mail_outbox");
    const resetting = follow(token, 0);
    const [reset] = await locked.waiters(1);
    const loggingIn = enter(member);
    // Its session waits for the user's row, which the reset holds.
    expect(await locked.waiters(2)).toContain(reset);
    await locked.release();
    expect(await resetting).toBe("done");
    expect((await loggingIn).outcome).toBe("refused");
    expect(await countTokens(member)).toBe(0);
  }, 60_000);
});

describe("a reset while its link is invalidated", () => {
  it("leaves nothing valid for a user suspended at the same time", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const member = await world.createMember();
      const owner = await world.createMember(undefined, { workspaceId: member.workspaceId });
      const token = await world.resetLinkFor(member.email);
      await Promise.all([deactivateUser(owner.ctx, member.id), follow(token, round)]);
      const { suspendedAt } = await member.ctx.db.user.findFirstOrThrow({ where: { id: member.id } });
      expect(suspendedAt).toBeInstanceOf(Date);
      expect(await countTokens(member)).toBe(0);
    }
  }, 60_000);

  it("succeeds or fails if the address changes at the same time, and no link is left", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const member = await world.createMember();
      const token = await world.resetLinkFor(member.email);
      const changing = member.ctx.transaction(async (tx) => {
        await lockUser(tx, member.id);
        await setEmail(tx, member.id, `moved-${member.email}`);
      });
      const [outcome] = await Promise.all([follow(token, round), changing]);
      expect(await countResets(member)).toBe(outcome === "done" ? 1 : 0);
      expect(await countTokens(member)).toBe(0);
    }
  }, 60_000);

  it("creates no link that survives a suspension, even if its email is being sent", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const member = await world.createMember();
      await Promise.all([world.askForReset(member.email), deactivateUser(member.ctx, member.id)]);
      expect(await countTokens(member)).toBe(0);
    }
  }, 60_000);
});
