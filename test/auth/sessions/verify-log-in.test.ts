import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeReset } from "../../../src/auth/reset/complete-reset.ts";
import { logIn } from "../../../src/auth/sessions/log-in.ts";
import { type Verification, verifyLogIn } from "../../../src/auth/sessions/verify-log-in.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { getErrorCode } from "../../support/callers.ts";
import { reissue } from "../../support/credential-events.ts";
import { SEEN, type TestPerson, createPerson } from "../../support/people.ts";
import {
  type TestFactor,
  FACTOR_ENVIRONMENT,
  addTestFactor,
  makeWrongCode,
  takeCode,
} from "../../support/second-factor.ts";
import { type TestServer, startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { UNSENT } from "../../support/unsent.ts";

let world: TestWorld;
let second: TestServer;

beforeAll(async () => {
  world = await createWorld({ ...UNSENT, ...FACTOR_ENVIRONMENT });
  second = await startOn(world.server.database, { ...UNSENT, ...FACTOR_ENVIRONMENT });
});

afterAll(async () => {
  await second.stop();
  await world.server.close();
});

async function newFactor(): Promise<TestFactor> {
  return addTestFactor(world.server, await createPerson(world.server, world.workspaceId));
}

/** Enters the password. @returns the secret of the browser's cookie. */
async function begin({ email, password }: TestPerson, seen = SEEN): Promise<string> {
  const input = { email, password, remember: false, workspaceId: null, replaces: null };
  const outcome = await logIn(world.server.services, input, seen);
  if (outcome.outcome !== "verify") throw new Error(`the log-in is ${outcome.outcome}`);
  return outcome.secret;
}

function verify(
  secret: string,
  code: string,
  { on = world.server, seen = SEEN } = {},
): Promise<Verification> {
  return verifyLogIn(on.services, { secret, proof: { code }, replaces: null }, seen);
}

/** From an address of its own each time. */
function elsewhere(number: number): typeof SEEN {
  return { ...SEEN, ip: `192.0.2.${number}` };
}

async function countSessions({ id }: TestPerson): Promise<number> {
  const rows = await world.server.database.query("SELECT 1 FROM users_tokens WHERE user_id = $1", [id]);
  return rows.length;
}

describe("logIn of a person with a second factor", () => {
  it("begins no session by the password", async () => {
    const { person } = await newFactor();
    const before = await countSessions(person);
    await begin(person);
    expect(await countSessions(person)).toBe(before);
  });

  it("stores only a digest of what the browser keeps", async () => {
    const { person } = await newFactor();
    const secret = await begin(person);
    const rows = await world.server.database.query("SELECT * FROM pending_log_in WHERE user_id = $1", [
      person.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(rows).toHaveLength(1);
  });

  it("keeps the newest hundred that wait", async () => {
    const { person } = await newFactor();
    await world.server.database.query(
      `INSERT INTO pending_log_in (digest, workspace_id, user_id, auth_epoch, remembered, return_to, created_at, expires_at)
       SELECT sha256(gen_random_uuid()::text::bytea), $1, $2, 0, false, '/', now() - interval '1 minute', now() + interval '9 minutes'
       FROM generate_series(1, 120)`,
      [world.workspaceId, person.id],
    );
    const secret = await begin(person);
    const rows = await world.server.database.query("SELECT 1 FROM pending_log_in WHERE user_id = $1", [
      person.id,
    ]);
    expect(rows).toHaveLength(100);
    expect(await verify(secret, "000000")).not.toEqual({ outcome: "ended" });
  });
});

describe("verifyLogIn", () => {
  it("begins a session that knows of the factor, also after a reissue", async () => {
    const factor = await newFactor();
    const secret = await begin(factor.person);
    const verified = await verify(secret, await takeCode(world.server, factor));
    if (verified.outcome !== "in") throw new Error(`the log-in is ${verified.outcome}`);
    await reissue(world.server, verified.session.token);
    const rows = await world.server.database.query(
      "SELECT 1 FROM users_tokens WHERE user_id = $1 AND mfa_at IS NULL",
      [factor.person.id],
    );
    expect(rows).toEqual([]);
    const [audit] = await world.server.database.query<{ changes: object }>(
      "SELECT changes FROM audit_event WHERE action = 'session.created' AND actor ->> 'id' = $1 ORDER BY seq DESC",
      [factor.person.id],
    );
    expect(audit?.changes).toMatchObject({ factor: "totp" });
  });

  it("works once: neither the log-in nor the code is accepted again", async () => {
    const factor = await newFactor();
    const [secret, other] = [await begin(factor.person), await begin(factor.person)];
    const code = await takeCode(world.server, factor);
    expect((await verify(secret, code)).outcome).toBe("in");
    expect((await verify(secret, code)).outcome).toBe("ended");
    expect((await verify(other, code)).outcome).toBe("wrong");
  });

  it("accepts a code for one of several log-ins at once, on all nodes", async () => {
    const factor = await newFactor();
    const secrets: string[] = [];
    for (let count = 0; count < 6; count++) secrets.push(await begin(factor.person));
    const code = await takeCode(world.server, factor);
    const verified = await Promise.all(
      secrets.map((secret, index) => verify(secret, code, { on: index % 2 === 0 ? world.server : second })),
    );
    expect(verified.filter(({ outcome }) => outcome === "in")).toHaveLength(1);
  });

  it("accepts each recovery code once, in any spelling, and tells the person", async () => {
    const { person, recoveryCodes } = await newFactor();
    const [code = "", other = ""] = recoveryCodes;
    expect((await verify(await begin(person), ` ${code.toUpperCase()} `)).outcome).toBe("in");
    expect((await verify(await begin(person), code)).outcome).toBe("wrong");
    expect((await verify(await begin(person), other.replaceAll("-", " "))).outcome).toBe("in");
    const mails = await world.server.database.query(
      "SELECT 1 FROM mail_outbox WHERE user_id = $1 AND data ->> 'news' = 'code_used'",
      [person.id],
    );
    expect(mails).toHaveLength(2);
  });

  it("refuses another person's codes", async () => {
    const [factor, other] = [await newFactor(), await newFactor()];
    const secret = await begin(factor.person);
    for (const code of [await takeCode(world.server, other), other.recoveryCodes[0] ?? ""]) {
      expect((await verify(secret, code)).outcome).toBe("wrong");
    }
  });

  it.each(["", " ", "-", "1", "\0", "ａ", "x".repeat(10_000), "' OR 1=1"])(
    "refuses the code %j",
    async (code) => {
      const { person } = await newFactor();
      expect((await verify(await begin(person), code)).outcome).toBe("wrong");
    },
  );

  it("ends after five wrong codes", async () => {
    const factor = await newFactor();
    const secret = await begin(factor.person);
    const wrong = makeWrongCode(factor.secret);
    for (let count = 0; count < 4; count++) expect((await verify(secret, wrong)).outcome).toBe("wrong");
    expect((await verify(secret, wrong)).outcome).toBe("ended");
    expect((await verify(secret, await takeCode(world.server, factor))).outcome).toBe("ended");
  });

  it("ends after ten minutes", async () => {
    const factor = await newFactor();
    const secret = await begin(factor.person);
    const later = await startOn(world.server.database, FACTOR_ENVIRONMENT, new Date(Date.now() + 600_500));
    const ended = await verify(secret, factor.recoveryCodes[0] ?? "", { on: later });
    await later.stop();
    expect(ended).toEqual({ outcome: "ended" });
    expect((await verify(secret, factor.recoveryCodes[0] ?? "")).outcome).toBe("in");
  });

  it("ends when the person is suspended", async () => {
    const factor = await newFactor();
    const secret = await begin(factor.person);
    await deactivateUser(world.ctx, factor.person.id);
    expect((await verify(secret, await takeCode(world.server, factor))).outcome).toBe("ended");
  });

  it("ends with a new password, which does not remove the factor", async () => {
    const factor = await newFactor();
    const secret = await begin(factor.person);
    const token = "r".repeat(43);
    await world.server.database.query(
      `INSERT INTO users_tokens (workspace_id, id, user_id, context, token_digest, sent_to, auth_epoch, expires_at)
       VALUES ($1, gen_random_uuid(), $2, 'reset_password', sha256($3::text::bytea), $4, 0, now() + interval '1 hour')`,
      [world.workspaceId, factor.person.id, token, factor.person.email],
    );
    const password = "a lantern over the water";
    await completeReset(world.server.services, { token, password, passwordConfirmation: password }, SEEN);
    const code = await takeCode(world.server, factor);
    expect((await verify(secret, code)).outcome).toBe("ended");
    expect((await verify(await begin({ ...factor.person, password }), code)).outcome).toBe("in");
  });

  it("refuses the eleventh wrong code from one address, whatever the log-in and the node", async () => {
    const factor = await newFactor();
    const wrong = makeWrongCode(factor.secret);
    for (let count = 0; count < 10; count++) {
      const on = count % 2 === 0 ? world.server : second;
      expect((await verify(await begin(factor.person), wrong, { on })).outcome).toBe("wrong");
    }
    const [secret, code] = [await begin(factor.person), await takeCode(world.server, factor)];
    expect(await getErrorCode(verify(secret, code))).toBe("rate_limited");
    expect((await verify(secret, code, { seen: elsewhere(1) })).outcome).toBe("in");
  });

  it("refuses the twenty-first wrong code from everywhere, for 15 minutes, and has told the person", async () => {
    const factor = await newFactor();
    const wrong = makeWrongCode(factor.secret);
    for (let count = 0; count < 20; count++) {
      const tried = await verify(await begin(factor.person), wrong, { seen: elsewhere(count) });
      expect(tried.outcome).toBe("wrong");
    }
    const secret = await begin(factor.person);
    const right = factor.recoveryCodes[0] ?? "";
    expect(await getErrorCode(verify(secret, right, { seen: elsewhere(99) }))).toBe("rate_limited");
    const told = await world.server.database.query(
      "SELECT 1 FROM mail_outbox WHERE user_id = $1 AND data ->> 'news' = 'codes_wrong'",
      [factor.person.id],
    );
    expect(told).toHaveLength(4);
    await world.server.database.query(
      "UPDATE throttle SET hits = ARRAY(SELECT h - interval '15 minutes' FROM unnest(hits) h)",
    );
    expect((await verify(secret, right)).outcome).toBe("in");
  });

  it("does not count right codes", async () => {
    const factor = await newFactor();
    for (let count = 0; count < 12; count++) {
      const [secret, code] = [await begin(factor.person), await takeCode(world.server, factor)];
      expect((await verify(secret, code)).outcome).toBe("in");
    }
  });
});
