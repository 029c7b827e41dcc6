import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { STATEMENTS } from "../../src/db/sql.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { type DeclaredStatement, readDeclaredStatements } from "../support/declared-rows.ts";
import { describeStatement } from "../support/describe-statement.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** What a value of a type is in a row, by the type's OID; everything else is text. */
const KINDS: ReadonlyMap<number, readonly string[]> = new Map([
  [16, ["boolean"]],
  [17, ["bytes"]],
  [20, ["bigint"]],
  [21, ["number"]],
  [23, ["number"]],
  [700, ["number"]],
  [701, ["number"]],
  [1184, ["Date", "string"]],
  [114, ["json", "array", "string", "number", "boolean"]],
  [3802, ["json", "array", "string", "number", "boolean"]],
  [1009, ["array"]],
  [2951, ["array"]],
]);

let store: TestDatabase;
let client: pg.Client;
let declared: Map<string, DeclaredStatement>;

beforeAll(async () => {
  store = await createTestDatabase();
  client = new pg.Client({ connectionString: store.url });
  await client.connect();
  const found = readDeclaredStatements(ROOT);
  declared = new Map(found.map((one) => [one.source, one]));
  // A statement is registered when its module is loaded.
  for (const file of new Set(found.map((one) => one.file))) await import(file);
}, 300_000);

afterAll(async () => {
  await client.end();
  await store.drop();
});

it("every statement of the program is known to PostgreSQL, and gives the row that is declared", async () => {
  const wrong: string[] = [];
  const seen = new Set<string>();
  for (const { source, statement } of STATEMENTS) {
    const key = source.join("…");
    const one = declared.get(key);
    seen.add(key);
    try {
      const columns = await describeStatement(client, statement.text);
      if (one?.row) wrong.push(...compare(one.place, one.row, columns));
    } catch (error) {
      wrong.push(`${one?.place ?? key}: ${String(error)}`);
    }
  }
  const unloaded = [...declared].filter(([key]) => !seen.has(key)).map(([, { place }]) => place);
  expect({ wrong, unloaded }).toEqual({ wrong: [], unloaded: [] });
});

function compare(
  place: string,
  row: ReadonlyMap<string, ReadonlySet<string>>,
  columns: readonly { name: string; dataTypeID: number }[],
): string[] {
  const names = columns.map(({ name }) => name);
  const missing = [...row.keys()].filter((name) => !names.includes(name));
  const kinds = columns.flatMap(({ name, dataTypeID }) => {
    const allowed = KINDS.get(dataTypeID) ?? ["string"];
    const given = [...(row.get(name) ?? [])].filter((kind) => kind !== "null" && kind !== "undefined");
    return given.every((kind) => allowed.includes(kind))
      ? []
      : [`${name} is ${given.join(" | ")}, not ${allowed.join(" | ")} (${dataTypeID})`];
  });
  const unread =
    row.size === 0 ? [] : names.filter((name) => !row.has(name)).map((name) => `${name} is not declared`);
  return [...missing.map((name) => `${name} is not given`), ...kinds, ...unread].map(
    (text) => `${place}: ${text}`,
  );
}

it("finds the rows that an update takes once: a joined subquery that is run again finds others", () => {
  const takers = STATEMENTS.map(({ statement }) => statement.text).filter((text) =>
    /^\s*UPDATE\b[\s\S]*\bLIMIT\b[\s\S]*SKIP LOCKED/.test(text),
  );
  expect(takers.filter((text) => !text.includes("ANY(ARRAY("))).toEqual([]);
});
