import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLater, isNews, laterSql } from "../../../src/domain/robots/state-sequence.ts";
import { type TestDatabase, createTestDatabase } from "../../support/database.ts";

const LAST = 4_294_967_295;

/** A place that is told, one that is known, and whether it is later: without wrapping, and with it. */
const PLACES: [told: number, known: number, later: boolean, laterWrapped: boolean][] = [
  [1, 0, true, true],
  [0, 0, false, false],
  [4, 5, false, false],
  [900, 5, true, true],
  [0, LAST, false, true],
  [7, LAST - 2, false, true],
  [LAST, 3, true, false],
  [2 ** 31, 0, true, false],
  [2 ** 31 - 1, 0, true, true],
  [1, Number.MAX_SAFE_INTEGER, false, true],
  [Number.MAX_SAFE_INTEGER, 1, true, false],
];

describe("isLater", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(PLACES)("of %d after %d is %s, and %s where the sequence wraps", (told, known, later, wrapped) => {
    expect(isLater({ stateSeq: told }, BigInt(known))).toBe(later);
    expect(isLater({ stateSeq: told, wraps: true }, BigInt(known))).toBe(wrapped);
  });

  it("is the same in SQL", async () => {
    const text = `SELECT ${laterSql("t", "k")} AS later FROM (SELECT $1::bigint AS state_seq, $2::boolean AS wraps) t,
      (SELECT $3::bigint AS state_seq) k`;
    for (const [told, known, later, wrapped] of PLACES) {
      expect(await database.query(text, [told, false, known]), `${told} ${known}`).toEqual([{ later }]);
      expect(await database.query(text, [told, true, known]), `${told} ${known}`).toEqual([
        { later: wrapped },
      ]);
    }
  });
});

describe("isNews", () => {
  const known = { status: "idle", stateSeq: 9n } as const;

  it("is a report that is later, or begins anew, and none again", () => {
    expect(isNews({ stateSeq: 10, restarted: false }, known)).toBe(true);
    expect(isNews({ stateSeq: 9, restarted: false }, known)).toBe(false);
    expect(isNews({ stateSeq: 2, restarted: false }, known)).toBe(false);
    expect(isNews({ stateSeq: 2, restarted: true }, known)).toBe(true);
    expect(isNews({ stateSeq: 9, restarted: true }, known)).toBe(false);
  });

  it("is any report of a robot that was offline", () => {
    expect(isNews({ stateSeq: 0, restarted: false }, { status: "offline", stateSeq: 9n })).toBe(true);
  });
});
