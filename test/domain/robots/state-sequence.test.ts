import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLater, isNewer, isLaterSql } from "../../../src/domain/robots/state-sequence.ts";
import { type TestDatabase, createTestDatabase } from "../../support/database.ts";

const LAST = 4_294_967_295;

/** A reported number, the known one, and whether it is later, without and with wrapping. */
const PLACES = [
  { reported: 1, known: 0, later: true, wrapped: true },
  { reported: 0, known: 0, later: false, wrapped: false },
  { reported: 4, known: 5, later: false, wrapped: false },
  { reported: 900, known: 5, later: true, wrapped: true },
  { reported: 0, known: LAST, later: false, wrapped: true },
  { reported: 7, known: LAST - 2, later: false, wrapped: true },
  { reported: LAST, known: 3, later: true, wrapped: false },
  { reported: 2 ** 31, known: 0, later: true, wrapped: false },
  { reported: 2 ** 31 - 1, known: 0, later: true, wrapped: true },
  { reported: 1, known: Number.MAX_SAFE_INTEGER, later: false, wrapped: true },
  { reported: Number.MAX_SAFE_INTEGER, known: 1, later: true, wrapped: false },
];

describe("isLater", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it.each(PLACES)("decides %j", ({ reported, known, later, wrapped }) => {
    expect(isLater({ stateSeq: reported }, BigInt(known))).toBe(later);
    expect(isLater({ stateSeq: reported, wraps: true }, BigInt(known))).toBe(wrapped);
  });

  it("is the same in SQL", async () => {
    const text = `SELECT ${isLaterSql("t", "k")} AS later FROM (SELECT $1::bigint AS state_seq, $2::boolean AS wraps) t,
      (SELECT $3::bigint AS state_seq) k`;
    for (const { reported, known, later, wrapped } of PLACES) {
      expect(await database.query(text, [reported, false, known]), `${reported} ${known}`).toEqual([
        { later },
      ]);
      expect(await database.query(text, [reported, true, known]), `${reported} ${known}`).toEqual([
        { later: wrapped },
      ]);
    }
  });
});

describe("isNewer", () => {
  const now = new Date("2026-11-21T10:00:00Z");
  const secondsBefore = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  const known = { status: "idle", stateSeq: 9n, stateAt: secondsBefore(44) } as const;

  it("accepts later and restarted reports, but no repeated ones", () => {
    expect(isNewer({ stateSeq: 10, restarted: false }, known, now)).toBe(true);
    expect(isNewer({ stateSeq: 9, restarted: false }, known, now)).toBe(false);
    expect(isNewer({ stateSeq: 2, restarted: false }, known, now)).toBe(false);
    expect(isNewer({ stateSeq: 2, restarted: true }, known, now)).toBe(true);
    expect(isNewer({ stateSeq: 9, restarted: true }, known, now)).toBe(false);
  });

  it("accepts any report after being offline, or after 45 s without an accepted one", () => {
    const report = { stateSeq: 0, restarted: false };
    expect(isNewer(report, { ...known, status: "offline" }, now)).toBe(true);
    expect(isNewer(report, { ...known, stateAt: secondsBefore(45) }, now)).toBe(true);
    expect(isNewer(report, { ...known, stateAt: null }, now)).toBe(true);
  });
});
