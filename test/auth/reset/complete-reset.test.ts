import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { completeReset } from "../../../src/auth/reset/complete-reset.ts";
import { isResetLinkValid } from "../../../src/auth/reset/is-reset-link-valid.ts";
import type { NewPassword } from "../../../src/auth/require-new-password.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
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
  member = await world.createMember();
});

function follow(token: string, input: Partial<NewPassword> = {}, services = world.services) {
  const typed = { password: PASSWORD, passwordConfirmation: input.password ?? PASSWORD, ...input };
  return completeReset(services, { token, ...typed }, SEEN);
}

/** The rejected fields. */
async function refusedFields(refused: Promise<unknown>): Promise<string[]> {
  try {
    await refused;
  } catch (error) {
    if (error instanceof DomainError && error.code === "validation_failed") {
      return error.details.errors?.map(({ field }) => field) ?? [];
    }
    throw error;
  }
  return [];
}

describe("completeReset", () => {
  it.each<[string, Partial<NewPassword>, string[]]>([
    ["a short password", { password: "eleven char" }, ["password"]],
    ["no password", { password: "" }, ["password"]],
    ["a common password", { password: "password1234" }, ["password"]],
    ["a password with NUL", { password: "a quiet\0harbour" }, ["password"]],
    ["a megabyte", { password: "x".repeat(1_048_576) }, ["password"]],
    ["another confirmation", { passwordConfirmation: "another shore at dawn" }, ["passwordConfirmation"]],
    ["both", { password: "short", passwordConfirmation: "" }, ["password", "passwordConfirmation"]],
  ])("rejects %s at its field, and the link stays valid", async (_what, input, fields) => {
    const token = await world.resetLinkFor(member.email);
    expect(await refusedFields(follow(token, input))).toEqual(fields);
    expect(await isResetLinkValid(world.services, token)).toBe(true);
    expect(await follow(token)).toBe("done");
  });

  it("rejects a password that is derived from the address", async () => {
    const token = await world.resetLinkFor(member.email);
    expect(await refusedFields(follow(token, { password: member.email }))).toEqual(["password"]);
  });

  it.each([
    "",
    "x",
    "A".repeat(43),
    "A".repeat(44),
    `${"A".repeat(42)}=`,
    `${"A".repeat(42)}\0`,
    "x".repeat(1_000_000),
  ])("treats the unknown token %# as an invalid link", async (token) => {
    expect(await isResetLinkValid(world.services, token)).toBe(false);
    expect(await follow(token)).toBe("invalid");
  });

  it("accepts only the exact characters of a token", async () => {
    const token = await world.resetLinkFor(member.email);
    // The last of 43 characters has four significant bits: the two lowest are not part of the 32 bytes.
    const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const respelled = token.slice(0, -1) + (digits[digits.indexOf(token.slice(-1)) ^ 1] ?? "");
    expect(Buffer.from(respelled, "base64url")).toEqual(Buffer.from(token, "base64url"));
    expect(await follow(respelled)).toBe("invalid");
  });

  it("hashes no password for an invalid link", async () => {
    let hashed = 0;
    const passwords = {
      ...world.services.passwords,
      hash: (password: string) => {
        hashed++;
        return world.services.passwords.hash(password);
      },
    };
    const services = { ...world.services, passwords };
    for (let n = 0; n < 5; n++) expect(await follow("A".repeat(43), {}, services)).toBe("invalid");
    expect(hashed).toBe(0);
    await follow(await world.resetLinkFor(member.email), {}, services);
    expect(hashed).toBe(1);
  });

  it("rejects tokens of other links and of sessions", async () => {
    const token = await world.resetLinkFor(member.email);
    for (const context of ["invitation", "email_change"] as const) {
      await member.ctx.db.userToken.updateMany({ where: { userId: member.id }, data: { context } });
      expect(await follow(token)).toBe("invalid");
    }
  });

  it("can be read any number of times without using up the link", async () => {
    const token = await world.resetLinkFor(member.email);
    for (let n = 0; n < 5; n++) expect(await isResetLinkValid(world.services, token)).toBe(true);
    expect(await follow(token)).toBe("done");
  });

  it("stores the token and password nowhere: not in rows, events, the audit log or logs", async () => {
    const token = await world.resetLinkFor(member.email);
    const [row] = await world.database.query<{ digest: Buffer }>(
      "SELECT token_digest AS digest FROM users_tokens WHERE user_id = $1",
      [member.id],
    );
    expect(row?.digest).toEqual(createHash("sha256").update(token, "ascii").digest());
    await follow(token);
    const tables = ["users_tokens", "reset_request", "mail_outbox", "event", "audit_event", '"user"'];
    for (const table of tables) {
      const rows = await world.database.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t`);
      const written = rows.map((each) => each.row).join("\n");
      expect(written).not.toContain(token);
      expect(written).not.toContain(PASSWORD);
    }
    expect(world.logged.join("")).not.toContain(token);
    expect(world.logged.join("")).not.toContain(PASSWORD);
  });
});
