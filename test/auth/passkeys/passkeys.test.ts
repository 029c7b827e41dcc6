import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFactors } from "../../../src/auth/factors/read-factors.ts";
import { deleteSignInProvider, setSignInProvider } from "../../../src/auth/oidc/set-sign-in-provider.ts";
import { addPasskey } from "../../../src/auth/passkeys/add-passkey.ts";
import {
  beginPasskeyConfirmation,
  beginPasskeyVerification,
} from "../../../src/auth/passkeys/begin-passkey-use.ts";
import { beginPasskey } from "../../../src/auth/passkeys/begin-passkey.ts";
import { beginPasskeyLogIn, logInByPasskey } from "../../../src/auth/passkeys/passkey-log-in.ts";
import { removePasskey } from "../../../src/auth/passkeys/remove-passkey.ts";
import { confirmByPasskey } from "../../../src/auth/sessions/confirm-password.ts";
import { logIn } from "../../../src/auth/sessions/log-in.ts";
import { findPendingLogIn } from "../../../src/auth/sessions/pending-log-in.ts";
import { verifyLogIn } from "../../../src/auth/sessions/verify-log-in.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { type TestAuthenticator, SITE, createAuthenticator } from "../../support/authenticator.ts";
import { getErrorCode } from "../../support/callers.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { type TestPerson, SEEN, createPerson, beginTestSession } from "../../support/people.ts";
import { personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { FACTOR_ENVIRONMENT } from "../../support/second-factor.ts";
import { startOn } from "../../support/server.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { NEW_SIGN_IN_PROVIDER } from "../../support/test-sign-in.ts";
import { UNSENT } from "../../support/unsent.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({ ...UNSENT, ...FACTOR_ENVIRONMENT, PUBLIC_BASE_URL: SITE });
});

afterAll(() => world.server.close());

/** A person in a session. */
async function enter(): Promise<{ person: TestPerson; ctx: Ctx }> {
  const person = await createPerson(world.server, world.workspaceId);
  return { person, ctx: await openSessionCtx(world.server, await beginTestSession(world.server, person)) };
}

async function add(
  ctx: Ctx,
  key: TestAuthenticator = createAuthenticator(),
  counter = 0,
): Promise<string[] | null> {
  const options = await beginPasskey(ctx);
  return addPasskey(ctx, { name: "My phone", response: key.make({ options, counter }) });
}

/** A person with a passkey, in a session. */
async function enterWithKey({ counter = 0 } = {}) {
  const [{ person, ctx }, key] = [await enter(), createAuthenticator()];
  await add(ctx, key, counter);
  return { person, ctx, key };
}

/** Logs in by a passkey alone. */
async function logInBy(key: TestAuthenticator, said: Partial<Parameters<TestAuthenticator["use"]>[0]> = {}) {
  const options = await beginPasskeyLogIn(world.server.services, SEEN);
  const input = { response: key.use({ options, ...said }), remember: false, replaces: null };
  return logInByPasskey(world.server.services, input, SEEN);
}

describe("addPasskey", () => {
  it("adds a passkey, with recovery codes for the first factor", async () => {
    const { person, ctx } = await enter();
    expect(await add(ctx)).toHaveLength(10);
    expect(await add(ctx)).toBeNull();
    const { passkeys, recoveryCodesLeft } = await readFactors(ctx);
    expect(passkeys).toMatchObject([{ name: "My phone", lastUsedAt: null }, { name: "My phone" }]);
    expect(recoveryCodesLeft).toBe(10);
    const types = await readEventTypes(world.server, person.id);
    expect(types.filter((type) => type === "user.factor_added")).toHaveLength(2);
  });

  it("accepts a response once, for its own site, person and use", async () => {
    const [{ ctx }, other, key] = [await enter(), await enter(), createAuthenticator()];
    const attempt = (response: string, by = ctx) => getErrorCode(addPasskey(by, { name: "x", response }));
    const response = key.make({ options: await beginPasskey(ctx) });
    expect(await attempt(response, other.ctx)).toBe("validation_failed");
    const elsewhere = key.make({ options: await beginPasskey(ctx), origin: "https://evil.example" });
    expect(await attempt(elsewhere)).toBe("validation_failed");
    const ofLogIn = key.make({ options: await beginPasskeyLogIn(world.server.services, SEEN) });
    expect(await attempt(ofLogIn)).toBe("validation_failed");
    await addPasskey(ctx, { name: "x", response });
    expect(await attempt(response)).toBe("validation_failed");
  });

  it.each([
    "",
    "{}",
    "null",
    "[]",
    '{"id":1}',
    '{"id":"x","response":{"clientDataJSON":"e30"}}',
    "x".repeat(20_000),
  ])("refuses the response %j", async (response) => {
    const { ctx } = await enter();
    expect(await getErrorCode(addPasskey(ctx, { name: "x", response }))).toBe("validation_failed");
  });

  it("refuses a response after five minutes", async () => {
    const [{ ctx }, key] = [await enter(), createAuthenticator()];
    const response = key.make({ options: await beginPasskey(ctx) });
    await world.server.database.query("UPDATE passkey_challenge SET expires_at = now()");
    expect(await getErrorCode(addPasskey(ctx, { name: "x", response }))).toBe("validation_failed");
  });

  it("refuses a passkey that is in use, and the eleventh of a person", async () => {
    const [{ ctx, key }, other] = [await enterWithKey(), await enter()];
    expect(await getErrorCode(add(other.ctx, key))).toBe("already_exists");
    for (let count = 1; count < 10; count++) await add(ctx);
    expect(await getErrorCode(beginPasskey(ctx))).toBe("invalid_state");
  });

  it("requires a recent confirmation, and a person", async () => {
    const { person } = await enter();
    const old = personCtx(world.server, person, { role: "admin", isSudo: false });
    const input = { name: "x", response: "{}" };
    for (const act of [
      beginPasskey,
      (by: Ctx) => addPasskey(by, input),
      (by: Ctx) => removePasskey(by, person.id),
    ]) {
      expect(await getErrorCode(act(old))).toBe("sudo_required");
      expect(await getErrorCode(act(world.ctx))).toBe("forbidden");
    }
  });

  it.each(["http://192.0.2.7:4000", "http://ops.example.com", "http://[::1]:4000"])(
    "is refused on %s, where browsers have no passkeys",
    async (url) => {
      const bare = await startOn(world.server.database, { ...UNSENT, PUBLIC_BASE_URL: url });
      const person = await createPerson(bare, world.workspaceId);
      const ctx = await openSessionCtx(bare, await beginTestSession(bare, person));
      const codes = [
        await getErrorCode(beginPasskey(ctx)),
        await getErrorCode(beginPasskeyLogIn(bare.services, SEEN)),
      ];
      await bare.stop();
      expect(codes).toEqual(["invalid_state", "invalid_state"]);
    },
  );
});

describe("logInByPasskey", () => {
  it("begins a session that knows of the passkey", async () => {
    const { person, key } = await enterWithKey();
    const session = await logInBy(key);
    const ctx = await openSessionCtx(world.server, session?.token ?? "");
    expect(ctx.actor).toMatchObject({ id: person.id, session: { isSudo: true } });
    const rows = await world.server.database.query(
      "SELECT changes ->> 'factor' AS factor FROM audit_event WHERE action = 'session.created' AND actor ->> 'id' = $1 ORDER BY seq DESC LIMIT 1",
      [person.id],
    );
    expect(rows).toEqual([{ factor: "passkey" }]);
  });

  it("requires that the authenticator has verified the person", async () => {
    const { key } = await enterWithKey();
    expect(await logInBy(key, { isVerified: false })).toBeNull();
  });

  it("refuses a replay, another site, and a passkey that nobody has", async () => {
    const { key } = await enterWithKey();
    const { services } = world.server;
    const response = key.use({ options: await beginPasskeyLogIn(services, SEEN) });
    const again = () => logInByPasskey(services, { response, remember: false, replaces: null }, SEEN);
    expect([(await again()) !== null, await again()]).toEqual([true, null]);
    expect(await logInBy(key, { origin: "https://evil.example" })).toBeNull();
    expect(await logInBy(createAuthenticator())).toBeNull();
  });

  it("refuses another's signature", async () => {
    const [{ key }, thief] = [await enterWithKey(), createAuthenticator()];
    const options = await beginPasskeyLogIn(world.server.services, SEEN);
    const forged = { ...JSON.parse(thief.use({ options })), id: key.credentialId, rawId: key.credentialId };
    const input = { response: JSON.stringify(forged), remember: false, replaces: null };
    expect(await logInByPasskey(world.server.services, input, SEEN)).toBeNull();
  });

  it("refuses a passkey whose count does not grow, and tells the person", async () => {
    const { person, key } = await enterWithKey({ counter: 5 });
    expect(await logInBy(key, { counter: 6 })).not.toBeNull();
    for (const counter of [6, 5, 0]) expect(await logInBy(key, { counter })).toBeNull();
    expect(await logInBy(key, { counter: 7 })).not.toBeNull();
    const types = await readEventTypes(world.server, person.id);
    expect(types.filter((type) => type === "user.passkey_refused")).toHaveLength(3);
    const mails = await world.server.database.query(
      "SELECT 1 FROM mail_outbox WHERE user_id = $1 AND data ->> 'news' = 'passkey_copied'",
      [person.id],
    );
    expect(mails).toHaveLength(3);
  });

  it("refuses a suspended person, and a removed passkey", async () => {
    const [one, other] = [await enterWithKey(), await enterWithKey()];
    await deactivateUser(world.ctx, one.person.id);
    const [passkey] = (await readFactors(other.ctx)).passkeys;
    await removePasskey(other.ctx, passkey?.id ?? "");
    expect([await logInBy(one.key), await logInBy(other.key)]).toEqual([null, null]);
  });

  it("refuses members where sign-in by a provider is enforced, but not its break-glass owner", async () => {
    const [member, owner] = [await enterWithKey(), await enterWithKey()];
    const { id: breakGlassOwnerId } = owner.person;
    await world.ctx.db.user.updateMany({ where: { id: breakGlassOwnerId }, data: { role: "owner" } });
    const enforced = { ...NEW_SIGN_IN_PROVIDER, enforced: true, breakGlassOwnerId };
    await setSignInProvider(world.ctx, enforced);
    expect(await logInBy(member.key)).toBeNull();
    expect(await logInBy(owner.key)).not.toBeNull();
    expect(await readEventTypes(world.server, breakGlassOwnerId)).toContain("user.break_glass_used");
    await deleteSignInProvider(world.ctx);
  });
});

describe("a passkey as the second factor", () => {
  async function enterPassword({ email, password }: TestPerson) {
    const input = { email, password, remember: false, workspaceId: null, replaces: null };
    const outcome = await logIn(world.server.services, input, SEEN);
    const secret = outcome.outcome === "verify" ? outcome.secret : "";
    const pending = await findPendingLogIn(world.server.services, secret);
    if (pending === null) throw new Error("the log-in does not wait");
    return { secret, options: await beginPasskeyVerification(world.server.services, pending) };
  }

  function verify(secret: string, passkey: string) {
    return verifyLogIn(world.server.services, { secret, proof: { passkey }, replaces: null }, SEEN);
  }

  it("finishes a log-in by password, even without a verified person, and after too many wrong codes", async () => {
    const { person, key } = await enterWithKey();
    for (let count = 0; count < 10; count++) {
      const { secret } = await enterPassword(person);
      await verifyLogIn(world.server.services, { secret, proof: { code: "x" }, replaces: null }, SEEN);
    }
    const { secret, options } = await enterPassword(person);
    expect((await verify(secret, key.use({ options, isVerified: false }))).outcome).toBe("in");
  });

  it("counts for its own log-in, and for its own person", async () => {
    const [one, other] = [await enterWithKey(), await enterWithKey()];
    const [first, second] = [await enterPassword(one.person), await enterPassword(one.person)];
    expect((await verify(second.secret, one.key.use(first))).outcome).toBe("wrong");
    const foreign = other.key.use(second);
    expect((await verify(second.secret, foreign)).outcome).toBe("wrong");
  });
});

describe("confirmByPasskey", () => {
  it("confirms who the caller is, once", async () => {
    const { person, ctx, key } = await enterWithKey();
    await world.server.database.query(
      "UPDATE users_tokens SET authenticated_at = now() - interval '21 minutes' WHERE user_id = $1",
      [person.id],
    );
    const options = await beginPasskeyConfirmation(ctx);
    const unverified = key.use({ options, isVerified: false });
    expect(await getErrorCode(confirmByPasskey(ctx, unverified))).toBe("validation_failed");
    const response = key.use({ options: await beginPasskeyConfirmation(ctx) });
    await confirmByPasskey(ctx, response);
    expect(await getErrorCode(confirmByPasskey(ctx, response))).toBe("validation_failed");
    const [row] = await world.server.database.query(
      "SELECT authenticated_at > now() - interval '1 minute' AS recent FROM users_tokens WHERE user_id = $1",
      [person.id],
    );
    expect(row).toEqual({ recent: true });
  });
});

describe("removePasskey", () => {
  it("removes the caller's own, and the recovery codes with the last", async () => {
    const [{ ctx }, other] = [await enterWithKey(), await enterWithKey()];
    const [passkey] = (await readFactors(ctx)).passkeys;
    const id = passkey?.id ?? "";
    expect(await getErrorCode(removePasskey(other.ctx, id))).toBe("not_found");
    await removePasskey(ctx, id);
    expect(await readFactors(ctx)).toEqual({ totp: null, passkeys: [], recoveryCodesLeft: 0 });
  });
});
