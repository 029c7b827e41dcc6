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
// Later than the time after which the sweep deletes hits.
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

/** The services this many milliseconds after the start. */
function after(ms: number): ThrottleServices {
  return { database, now: new Date(START + ms) };
}

async function isAllowed(key: string, ms: number, limit = 10): Promise<boolean> {
  return (await takeHit(after(ms), { key, limit })) !== null;
}

function someKey(): string {
  return crypto.randomUUID();
}

describe("takeHit", () => {
  it("allows exactly the limit of 60 concurrent hits on two nodes", async () => {
    const key = someKey();
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        takeHit({ database: n % 2 === 0 ? database : second, now: null }, { key, limit: 10 }),
      ),
    );
    expect(taken.filter((hit) => hit !== null)).toHaveLength(10);
  });

  it("rejects until exactly 15 minutes have passed", async () => {
    const key = someKey();
    for (let n = 0; n < 10; n++) expect(await isAllowed(key, 0)).toBe(true);
    expect(await isAllowed(key, 0)).toBe(false);
    expect(await isAllowed(key, WINDOW_MS - 1)).toBe(false);
    expect(await isAllowed(key, WINDOW_MS)).toBe(true);
  });

  it("doesn't count rejected hits", async () => {
    const key = someKey();
    expect(await isAllowed(key, 0, 1)).toBe(true);
    for (let ms = 1000; ms < WINDOW_MS; ms += 60_000) expect(await isAllowed(key, ms, 1)).toBe(false);
    expect(await isAllowed(key, WINDOW_MS, 1)).toBe(true);
  });

  it("counts each key separately", async () => {
    expect(await isAllowed(someKey(), 0, 1)).toBe(true);
    expect(await isAllowed(someKey(), 0, 1)).toBe(true);
  });

  it("allows nothing more for a lagging clock", async () => {
    const key = someKey();
    for (let n = 0; n < 10; n++) await isAllowed(key, 0);
    for (let n = 0; n < 10; n++) expect(await isAllowed(key, WINDOW_MS + 1)).toBe(true);
    expect(await isAllowed(key, WINDOW_MS - 1)).toBe(false);
  });

  it("matches a plain list of times in any order", async () => {
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
            const hit = await takeHit(after(ms), { key, limit });
            expect(hit !== null).toBe(expected);
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
  it("removes one of several simultaneous hits, once", async () => {
    const key = someKey();
    expect(await isAllowed(key, 0, 2)).toBe(true);
    const hit = await takeHit(after(0), { key, limit: 2 });
    if (hit === null) throw new Error("the second hit was refused");
    await giveBack(after(0), hit);
    expect(await isAllowed(key, 0, 2)).toBe(true);
    expect(await isAllowed(key, 0, 2)).toBe(false);
  });
});

describe("clearHits", () => {
  it("clears only the key", async () => {
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
    ["2001:db8::ffff:c000:207", "2001:db8:0:0::/64"],
    ["2001:db8:1:2:0:ffff:c000:207", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["not an address", "unknown"],
    [null, "unknown"],
  ])("converts %s to %s", (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });
});
