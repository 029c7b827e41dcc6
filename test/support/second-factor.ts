import { createHmac } from "node:crypto";
import { addTotp } from "../../src/auth/factors/add-totp.ts";
import { beginTotp } from "../../src/auth/factors/begin-totp.ts";
import { openSessionCtx } from "./open-session-ctx.ts";
import { type TestPerson, beginTestSession } from "./people.ts";
import type { TestServer } from "./server.ts";

/** The environment of a server that can keep secrets. */
export const FACTOR_ENVIRONMENT = { SECRETS_KEY: Buffer.alloc(32, 1).toString("base64") };

/** An authenticator app of a person, with the session in which it was added. */
export type TestFactor = { person: TestPerson; secret: string; recoveryCodes: string[]; token: string };

/** Adds an authenticator app to a person without one. */
export async function addTestFactor(server: TestServer, person: TestPerson): Promise<TestFactor> {
  const token = await beginTestSession(server, person);
  const ctx = await openSessionCtx(server, token);
  const { secret, setup } = await beginTotp(ctx);
  const recoveryCodes = await addTotp(ctx, { setup, code: makeCode(secret) });
  if (recoveryCodes === null) throw new Error("the person had a factor already");
  return { person, secret, recoveryCodes, token };
}

/** A code that was not used before: all before it count as unused again. */
export async function takeCode(
  { database }: Pick<TestServer, "database">,
  { person, secret }: TestFactor,
): Promise<string> {
  await database.query("UPDATE totp_factor SET last_step = 0 WHERE user_id = $1", [person.id]);
  return makeCode(secret);
}

/** What an app shows at a time, in milliseconds since 1970. Written anew, by RFC 6238. */
export function makeCode(secret: string, at = Date.now()): string {
  const bits = secret.replaceAll(/./g, (letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  );
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const number = mac.readUInt32BE((mac[19] ?? 0) & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, "0");
}

/** A code that is wrong now. */
export function makeWrongCode(secret: string): string {
  const near = new Set([-1, 0, 1].map((step) => makeCode(secret, Date.now() + step * 30_000)));
  return ["000000", "111111", "222222", "333333"].find((code) => !near.has(code)) ?? "444444";
}
