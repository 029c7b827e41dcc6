import { afterAll, beforeAll, expect, it } from "vitest";
import { SEALED_COLUMNS } from "../../../src/auth/secrets/sealed-columns.ts";
import { type TestDatabase, createTestDatabase } from "../../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

it("lists every column of sealed secrets, so that each is rotated", async () => {
  const columns = await database.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name LIKE 'sealed\\_%' ORDER BY 1`,
  );
  expect(columns.length).toBeGreaterThan(0);
  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(listed.toSorted()).toEqual(columns.map(({ name }) => name));
});

it.each(SEALED_COLUMNS)("reads and replaces those of $table.$column", async ({ list, replace }) => {
  await expect(database.query(list.text)).resolves.toEqual([]);
  expect(replace.text).toContain("= $3::bytea");
});
