import fc from "fast-check";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ThrottleServices,
  addressKey,
  clearHits,
  giveBack,
  takeHit,
} from "../../../src/domain/kernel/throttle.ts";
import { type Database, openDatabase } from "../../../src/db/client.ts";
import { type TestDatabase, createTestDatabase } from "../../support/database.ts";
import { runs } from "../../support/property-runs.ts";

const WINDOW_MS = 15 * 60_000;
// Long after what a sweep would take away.
const START = Date.parse("2100-01-01T00:00:00.000Z");

let test: TestDatabase;
/** The pools of two nodes. */
let database: Database;
let second: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  const log = pino({ level: "silent" });
  database = openDatabase(test.url, log);
  second = openDatabase(test.url, log);
});

afterAll(async () => {
  await database.close();
  await second.close();
  await test.drop();
});

/** The services as they are so many milliseconds after the start. */
function after(ms: number): ThrottleServices {
  return { database, now: new Date(START + ms) };
}

async function isAllowed(key: string, ms: number, limit = 10): Promise<boolean> {
  return (await takeHit(after(ms), { key, limit })).allowed;
}

function someKey(): string {
  return crypto.randomUUID();
}

describe("takeHit", () => {
  it("lets exactly the limit through of 60 that come at once to two nodes", async () => {
    const key = someKey();
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        takeHit({ database: n % 2 === 0 ? database : second, now: null }, { key, limit: 10 }),
      ),
    );
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(10);
  });

  it("refuses a millisecond before 15 minutes have passed, and allows when they have", async () => {
    const key = someKey();
    for (let n = 0; n < 10; n++) expect(await isAllowed(key, 0)).toBe(true);
    expect(await isAllowed(key, 0)).toBe(false);
    expect(await isAllowed(key, WINDOW_MS - 1)).toBe(false);
    expect(await isAllowed(key, WINDOW_MS)).toBe(true);
  });

  it("does not count what it refused", async () => {
    const key = someKey();
    expect(await isAllowed(key, 0, 1)).toBe(true);
    for (let ms = 1000; ms < WINDOW_MS; ms += 60_000) expect(await isAllowed(key, ms, 1)).toBe(false);
    expect(await isAllowed(key, WINDOW_MS, 1)).toBe(true);
  });

  it("counts each key for itself", async () => {
    expect(await isAllowed(someKey(), 0, 1)).toBe(true);
    expect(await isAllowed(someKey(), 0, 1)).toBe(true);
  });

  it("never lets a clock that lags behind through: a key's time does not run backwards", async () => {
    const key = someKey();
    for (let n = 0; n < 10; n++) await isAllowed(key, 0);
    for (let n = 0; n < 10; n++) expect(await isAllowed(key, WINDOW_MS + 1)).toBe(true);
    expect(await isAllowed(key, WINDOW_MS - 1)).toBe(false);
  });

  it("decides as a plain list of times does, whatever the order of attempts and returns", async () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.nat(1000), fc.nat(WINDOW_MS), fc.constantFrom(0, 1, WINDOW_MS - 1, WINDOW_MS)),
      gives: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 25 }),
        async (limit, steps) => {
          const key = someKey();
          const model: number[] = [];
          let ms = 0;
          for (const { waitMs, gives } of steps) {
            ms += waitMs;
            const at = ms;
            const expected = model.filter((hit) => hit > at - WINDOW_MS).length < limit;
            const { allowed, hit } = await takeHit(after(ms), { key, limit });
            expect(allowed).toBe(expected);
            if (hit === null) continue;
            if (gives) await giveBack(after(ms), hit);
            else model.push(ms);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  }, 60_000);
});

describe("giveBack", () => {
  it("takes one of several hits of one moment, and does nothing the second time", async () => {
    const key = someKey();
    expect(await isAllowed(key, 0, 2)).toBe(true);
    const { hit } = await takeHit(after(0), { key, limit: 2 });
    if (hit === null) throw new Error("the second hit was refused");
    await giveBack(after(0), hit);
    expect(await isAllowed(key, 0, 2)).toBe(true);
    expect(await isAllowed(key, 0, 2)).toBe(false);
  });
});

describe("clearHits", () => {
  it("forgets a key and no other", async () => {
    const [key, other] = [someKey(), someKey()];
    for (const each of [key, other]) await isAllowed(each, 0, 1);
    await clearHits({ database }, key);
    expect(await isAllowed(key, 0, 1)).toBe(true);
    expect(await isAllowed(other, 0, 1)).toBe(false);
  });
});

describe("addressKey", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["not an address", "unknown"],
    [null, "unknown"],
  ])("reads %s as %s", (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });
});
