import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addTotp } from "../../../src/auth/factors/add-totp.ts";
import { beginTotp } from "../../../src/auth/factors/begin-totp.ts";
import { readFactors } from "../../../src/auth/factors/read-factors.ts";
import { removeTotp } from "../../../src/auth/factors/remove-totp.ts";
import { removeUserFactors } from "../../../src/auth/factors/remove-user-factors.ts";
import { renewRecoveryCodes } from "../../../src/auth/factors/renew-recovery-codes.ts";
import { createSealedBox } from "../../../src/auth/secrets/sealed-box.ts";
import { rotateSecrets } from "../../../src/auth/secrets/rotate-secrets.ts";
import { changePassword } from "../../../src/auth/sessions/change-password.ts";
import { confirmPassword } from "../../../src/auth/sessions/confirm-password.ts";
import { deleteUser } from "../../../src/domain/users/delete-user.ts";
import type { Ctx, NewSession } from "../../../src/domain/kernel/context.ts";
import { getErrorCode } from "../../support/callers.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import {
  type TestPerson,
  askWhoAmI,
  buildCookie,
  createPerson,
  beginTestSession,
} from "../../support/people.ts";
import { personCtx, readEventTypes } from "../../support/person-ctx.ts";
import {
  FACTOR_ENVIRONMENT,
  addTestFactor,
  makeCode,
  makeWrongCode,
  takeCode,
} from "../../support/second-factor.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { startOn } from "../../support/server.ts";
import { UNSENT } from "../../support/unsent.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld({ ...UNSENT, ...FACTOR_ENVIRONMENT });
});

afterAll(() => world.server.close());

function newPerson(): Promise<TestPerson> {
  return createPerson(world.server, world.workspaceId);
}

async function enter(person: TestPerson): Promise<Ctx> {
  return openSessionCtx(world.server, await beginTestSession(world.server, person));
}

async function readNews({ id }: TestPerson): Promise<unknown[]> {
  const rows = await world.server.database.query<{ news: string }>(
    "SELECT data ->> 'news' AS news FROM mail_outbox WHERE user_id = $1 AND kind = 'second_factor' ORDER BY created_at, id",
    [id],
  );
  return rows.map(({ news }) => news);
}

async function isValid(token: string): Promise<boolean> {
  return (await askWhoAmI(world.server, buildCookie(token))).status === 200;
}

describe("addTotp", () => {
  it("adds an app, with ten recovery codes, by a code that it shows", async () => {
    const person = await newPerson();
    const { secret, recoveryCodes } = await addTestFactor(world.server, person);
    expect(recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-7]{4}(?:-[a-z2-7]{4}){3}$/);
    const [row] = await world.server.database.query<{ sealed: Buffer }>(
      "SELECT sealed_secret AS sealed FROM totp_factor WHERE user_id = $1",
      [person.id],
    );
    expect(row?.sealed.includes(secret)).toBe(false);
    expect(await readEventTypes(world.server, person.id)).toContain("user.factor_added");
    expect(await readNews(person)).toEqual(["added"]);
  });

  it("ends the person's other sessions, but not this one", async () => {
    const person = await newPerson();
    const other = await beginTestSession(world.server, person);
    const { token } = await addTestFactor(world.server, person);
    expect([await isValid(other), await isValid(token)]).toEqual([false, true]);
  });

  it("stores nothing before a right code, and refuses a wrong one", async () => {
    const person = await newPerson();
    const ctx = await enter(person);
    const { secret, setup } = await beginTotp(ctx);
    for (const code of [makeWrongCode(secret), "", "12345", "abcdef", "1234567"]) {
      expect(await getErrorCode(addTotp(ctx, { setup, code }))).toBe("validation_failed");
    }
    expect(await readFactors(ctx)).toEqual({ totp: null, passkeys: [], recoveryCodesLeft: 0 });
    expect(await beginTotp(ctx, setup)).toMatchObject({ secret, setup });
  });

  it("refuses a setup of another person, and a forged one", async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { secret, setup } = await beginTotp(await enter(person));
    const code = makeCode(secret);
    const theirs = await enter(other);
    for (const forged of [setup, "v1.AAAA", "", "x".repeat(100_000)]) {
      expect(await getErrorCode(addTotp(theirs, { setup: forged, code }))).toBe("validation_failed");
    }
    const soon = personCtx(world.server, person, { role: "admin" });
    expect(await getErrorCode(addTotp(soon, { setup: `${setup}A`, code }))).toBe("validation_failed");
  });

  it("refuses a second app", async () => {
    const { token } = await addTestFactor(world.server, await newPerson());
    expect(await getErrorCode(beginTotp(await openSessionCtx(world.server, token)))).toBe("invalid_state");
  });

  it("adds one of two apps that are added at once", async () => {
    const ctx = await enter(await newPerson());
    const begun = [await beginTotp(ctx), await beginTotp(ctx)];
    const added = await Promise.allSettled(
      begun.map(({ secret, setup }) => addTotp(ctx, { setup, code: makeCode(secret) })),
    );
    expect(added.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("requires a recent confirmation, and a person", async () => {
    const person = await newPerson();
    const old = personCtx(world.server, person, { role: "admin", isSudo: false });
    for (const act of [beginTotp, removeTotp, renewRecoveryCodes]) {
      expect(await getErrorCode(act(old))).toBe("sudo_required");
      expect(await getErrorCode(act(world.server.systemCtx(world.workspaceId)))).toBe("forbidden");
    }
    expect(await getErrorCode(addTotp(old, { setup: "", code: "" }))).toBe("sudo_required");
  });

  it("is refused where no key can seal the secret", async () => {
    const bare = await startOn(world.server.database, { ...UNSENT });
    const person = await newPerson();
    const ctx = await openSessionCtx(bare, await beginTestSession(bare, person));
    const refused = await getErrorCode(beginTotp(ctx));
    await bare.stop();
    expect(refused).toBe("invalid_state");
  });

  it("has its secret sealed anew by a rotation of keys", async () => {
    const { person } = await addTestFactor(world.server, await newPerson());
    const [before, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const sealed = async () =>
      (await world.ctx.db.totpFactor.findFirstOrThrow({ where: { userId: person.id } })).sealedSecret;
    const box = createSealedBox([next, before]);
    await rotateSecrets(world.server.services, box);
    expect(box.isCurrent(await sealed())).toBe(true);
    await rotateSecrets(world.server.services, createSealedBox([before, next]));
  });
});

describe("removeTotp", () => {
  it("removes the app and the recovery codes, so that the password alone logs in", async () => {
    const person = await newPerson();
    const { token } = await addTestFactor(world.server, person);
    const ctx = await openSessionCtx(world.server, token);
    await removeTotp(ctx);
    expect(await readFactors(ctx)).toEqual({ totp: null, passkeys: [], recoveryCodesLeft: 0 });
    expect(await isValid(token)).toBe(true);
    await beginTestSession(world.server, person);
    expect(await readNews(person)).toEqual(["added", "removed"]);
    expect(await readEventTypes(world.server, person.id)).toContain("user.factor_removed");
    const again = await openSessionCtx(world.server, token);
    expect(await getErrorCode(removeTotp(again))).toBe("not_found");
  });
});

describe("renewRecoveryCodes", () => {
  it("replaces all codes", async () => {
    const factor = await addTestFactor(world.server, await newPerson());
    const ctx = await openSessionCtx(world.server, factor.token);
    const codes = await renewRecoveryCodes(ctx);
    expect(codes.filter((code) => factor.recoveryCodes.includes(code))).toEqual([]);
    const { password } = factor.person;
    const old = { password, code: factor.recoveryCodes[0] ?? "" };
    expect(await getErrorCode(confirmPassword(ctx, world.server.services, old))).toBe("validation_failed");
    await confirmPassword(ctx, world.server.services, { password, code: codes[0] ?? "" });
    expect(await readNews(factor.person)).toEqual(["added", "codes_renewed", "code_used"]);
  });

  it("requires a second factor", async () => {
    expect(await getErrorCode(renewRecoveryCodes(await enter(await newPerson())))).toBe("invalid_state");
  });
});

describe("confirmPassword with a second factor", () => {
  it("takes the password and a code, and neither alone", async () => {
    const factor = await addTestFactor(world.server, await newPerson());
    const { services } = world.server;
    const { password } = factor.person;
    const ctx = await openSessionCtx(world.server, factor.token);
    expect(await getErrorCode(confirmPassword(ctx, services, { password, code: "" }))).toBe(
      "validation_failed",
    );
    const code = await takeCode(world.server, factor);
    const wrong = { password: "not the password", code };
    expect(await getErrorCode(confirmPassword(ctx, services, wrong))).toBe("validation_failed");
    await confirmPassword(ctx, services, { password, code });
    expect(await getErrorCode(confirmPassword(ctx, services, { password, code }))).toBe("validation_failed");
  });

  it("is not taken over by a change of the password, which takes no code", async () => {
    const person = await newPerson();
    const { token } = await addTestFactor(world.server, person);
    await world.server.database.query(
      "UPDATE users_tokens SET authenticated_at = now() - interval '1 hour' WHERE user_id = $1",
      [person.id],
    );
    const ctx = await openSessionCtx(world.server, token);
    const handed: NewSession[] = [];
    Object.assign(ctx, { handSession: (session: NewSession) => handed.push(session) });
    const next = "another harbour, at dusk";
    const form = { currentPassword: person.password, newPassword: next, newPasswordConfirmation: next };
    await changePassword(ctx, world.server.services, form);
    const changed = await openSessionCtx(world.server, handed[0]?.token ?? "");
    expect(await getErrorCode(removeTotp(changed))).toBe("sudo_required");
  });

  it("is refused after ten wrong codes", async () => {
    const factor = await addTestFactor(world.server, await newPerson());
    const { password } = factor.person;
    const ctx = await openSessionCtx(world.server, factor.token);
    const confirm = (code: string) =>
      getErrorCode(confirmPassword(ctx, world.server.services, { password, code }));
    const wrong = makeWrongCode(factor.secret);
    for (let count = 0; count < 10; count++) expect(await confirm(wrong)).toBe("validation_failed");
    expect(await confirm(await takeCode(world.server, factor))).toBe("rate_limited");
  });
});

describe("removeUserFactors", () => {
  it("removes a member's factors, ends the member's sessions and tells the member", async () => {
    const person = await newPerson();
    const { token } = await addTestFactor(world.server, person);
    const owner = await createPerson(world.server, world.workspaceId, { role: "owner" });
    const ctx = personCtx(world.server, owner, { role: "owner" });
    await removeUserFactors(ctx, person.id);
    expect(await isValid(token)).toBe(false);
    await beginTestSession(world.server, person);
    expect(await readNews(person)).toEqual(["added", "removed_by_owner"]);
    expect(await readEventTypes(world.server, person.id)).toContain("user.factors_removed");
    expect(await getErrorCode(removeUserFactors(ctx, person.id))).toBe("invalid_state");
  });

  it("is for owners who confirmed who they are, and their own workspace", async () => {
    const { person } = await addTestFactor(world.server, await newPerson());
    const admin = personCtx(world.server, await newPerson(), { role: "admin" });
    expect(await getErrorCode(removeUserFactors(admin, person.id))).toBe("forbidden");
    const owner = await createPerson(world.server, world.workspaceId, { role: "owner" });
    const old = personCtx(world.server, owner, { role: "owner", isSudo: false });
    expect(await getErrorCode(removeUserFactors(old, person.id))).toBe("sudo_required");
    const { ctx } = await world.another();
    expect(await getErrorCode(removeUserFactors(ctx, person.id))).toBe("not_found");
  });
});

describe("a deleted member", () => {
  it("leaves no factor", async () => {
    const { person } = await addTestFactor(world.server, await newPerson());
    await deleteUser(world.ctx, person.id);
    const left = { where: { userId: person.id } };
    expect([await world.ctx.db.totpFactor.count(left), await world.ctx.db.recoveryCode.count(left)]).toEqual([
      0, 0,
    ]);
  });
});
