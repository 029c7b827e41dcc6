import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildCitusSql, listDistributed } from "../../scripts/citus/build-citus-sql.ts";
import { type CitusSchema, readCitusSchema } from "../../scripts/citus/read-schema.ts";
import { LOCAL, REFERENCE, WIDENED } from "../../scripts/citus/tables.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";

let store: TestDatabase;
let schema: CitusSchema;
let distributed: Set<string>;

beforeAll(async () => {
  store = await createTestDatabase();
  schema = await readCitusSchema(async (text) => store.query(text));
  distributed = new Set(listDistributed(schema));
});

afterAll(() => store.drop());

it("every table has the workspace, or is listed as a reference or local table with a reason", () => {
  const known = new Set([...Object.keys(REFERENCE), ...Object.keys(LOCAL)]);
  expect(schema.others.filter((name) => !known.has(name))).toEqual([]);
  const tables = new Set([...schema.others, ...schema.tenant]);
  expect([...known].filter((name) => !tables.has(name))).toEqual([]);
  expect(distributed.size).toBeGreaterThan(60);
});

it("every primary key and unique index of a distributed table holds the workspace, or is widened with a reason", () => {
  const lacking = schema.unique.filter(({ table }) => distributed.has(table)).map(({ name }) => name);
  expect(lacking).toEqual(Object.keys(WIDENED));
});

it("every foreign key of a distributed table holds the workspace, or leads to a reference table", () => {
  const wrong = schema.foreignKeys.filter(
    ({ table, target, hasWorkspace }) =>
      distributed.has(table) && !(target in REFERENCE) && !(hasWorkspace && distributed.has(target)),
  );
  expect(wrong).toEqual([]);
});

it("no reference or local table refers to a distributed one, which Citus refuses", () => {
  const wrong = schema.foreignKeys.filter(
    ({ table, target }) => !distributed.has(table) && distributed.has(target),
  );
  expect(wrong).toEqual([]);
});

it("no foreign key sets the workspace to null, which Citus refuses", () => {
  const wrong = schema.foreignKeys.filter(({ definition }) => /SET (?:NULL|DEFAULT)$/.test(definition));
  expect(wrong).toEqual([]);
});

it("deploy/citus.sql is what scripts/print-citus.ts prints", () => {
  const file = fileURLToPath(new URL("../../deploy/citus.sql", import.meta.url));
  expect(readFileSync(file, "utf8")).toBe(buildCitusSql(schema));
});

it("deploy/citus.sql alters the schema without an error, with functions in place of Citus' own", async () => {
  await store.query(
    `CREATE FUNCTION create_reference_table(name text) RETURNS regclass LANGUAGE sql AS 'SELECT $1::regclass'`,
  );
  await store.query(`CREATE FUNCTION create_distributed_table(name text, col text, colocate_with text DEFAULT '')
    RETURNS regclass LANGUAGE sql AS 'SELECT $1::regclass'`);
  await store.query(buildCitusSql(schema));
  const altered = await readCitusSchema(async (text) => store.query(text));
  expect(altered.unique.filter(({ table }) => distributed.has(table))).toEqual([]);
  expect(altered.foreignKeys).toEqual(schema.foreignKeys);
});
