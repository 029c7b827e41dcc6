import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toArrayLiteral } from "../../src/db/to-array-literal.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { runs } from "../support/property-runs.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

async function read(type: string, values: readonly unknown[]): Promise<unknown[]> {
  const rows = await database.query<{ value: unknown }>(
    `SELECT value FROM unnest($1::${type}[]) WITH ORDINALITY AS t(value, n) ORDER BY n`,
    [toArrayLiteral(values)],
  );
  return rows.map(({ value }) => value);
}

// PostgreSQL stores no NUL, and pg writes no surrogate without its partner.
const storable = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !text.includes("\0"));
const special = fc.constantFrom("", "NULL", "null", "{}", '"', "\\", '\\"', " a ", ",", "\n", "\\x00", "é😀");

describe("toArrayLiteral", () => {
  it("is read by PostgreSQL as the same texts", async () => {
    const texts = fc.array(fc.oneof(storable, special, fc.constant(null)), { maxLength: 50 });
    await fc.assert(
      fc.asyncProperty(texts, async (values) => {
        expect(await read("text", values)).toEqual(values);
      }),
      { numRuns: runs(50) },
    );
  });

  it("is read as the same JSON, numbers and truth values", async () => {
    const json = ['{"a":"\\"\\\\ \\n"}', "[1,null]", '"x"'];
    expect(await read("jsonb", [...json, null])).toEqual([...json.map((text) => JSON.parse(text)), null]);
    expect(await read("float8", [0, -1.5, 1e300, null, NaN, -Infinity])).toEqual([
      0,
      -1.5,
      1e300,
      null,
      NaN,
      -Infinity,
    ]);
    expect(await read("int8", [2n ** 63n - 1n, 5])).toEqual(["9223372036854775807", "5"]);
    expect(await read("bool", [true, undefined, false])).toEqual([true, null, false]);
  });

  it("leaves instants and lists within lists to pg", () => {
    expect(toArrayLiteral([new Date()])).toBeUndefined();
    expect(toArrayLiteral([["a"]])).toBeUndefined();
  });
});
