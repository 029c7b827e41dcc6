import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseTimestamp, toIsoTimestamp } from "../../src/db/instants.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { runs } from "../support/property-runs.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** How PostgreSQL formats these times for a client in this time zone. */
async function formatInstants(instants: Date[], zone: string): Promise<string[]> {
  const rows = await database.query<{ text: string }>(
    `SELECT i::timestamptz::text AS text
     FROM set_config('TimeZone', $1, false), unnest($2::text[]) WITH ORDINALITY AS t(i, n) ORDER BY n`,
    [zone, instants.map((instant) => instant.toISOString())],
  );
  return rows.map(({ text }) => text);
}

const INSTANT = fc.date({
  min: new Date("0001-01-02T00:00:00Z"),
  max: new Date("9999-12-30T00:00:00Z"),
  noInvalidDate: true,
});

describe.each(["UTC", "Asia/Kathmandu", "America/New_York"])("instants for a client in %s", (zone) => {
  it("are parsed to the millisecond, as Dates and as ISO text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(INSTANT, { minLength: 1, maxLength: 200 }), async (instants) => {
        const texts = await formatInstants(instants, zone);
        expect(texts.map(parseTimestamp)).toEqual(instants);
        expect(texts.map(toIsoTimestamp)).toEqual(instants.map((instant) => instant.toISOString()));
      }),
      { numRuns: runs(10) },
    );
  });
});

describe("toIsoTimestamp", () => {
  it.each([
    ["2026-11-21 10:00:45+00", "2026-11-21T10:00:45.000Z"],
    ["2026-11-21 10:00:45.1+00", "2026-11-21T10:00:45.100Z"],
    ["2026-11-21 10:00:45.12+00", "2026-11-21T10:00:45.120Z"],
    ["2026-11-21 10:00:45.123+00", "2026-11-21T10:00:45.123Z"],
    ["2026-11-21 10:00:45.123456+00", "2026-11-21T10:00:45.123Z"],
    ["2026-11-21 15:45:45+05:45", "2026-11-21T10:00:45.000Z"],
    ["12026-11-21 10:00:45+00", "+012026-11-21T10:00:45.000Z"],
  ])("converts %s to %s", (text, iso) => {
    expect(toIsoTimestamp(text)).toBe(iso);
    expect(parseTimestamp(text)).toEqual(new Date(iso));
  });
});
