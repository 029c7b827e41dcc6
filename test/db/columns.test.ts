import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TABLES, listedSelectList, selectList, toColumnName } from "../../src/db/columns.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

describe("selectList", () => {
  it.each(Object.entries(TABLES))("contains every column of %s and no other", async (_model, table) => {
    const columns = await database.query<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1",
      [table.name],
    );
    const listed = selectList("t", table).split(", ");
    const named = listed.map((item) => /^t\."(\w+)" AS "\w+"$/.exec(item)?.[1] ?? "");
    expect(named.toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
    expect(listed.map((item) => /AS "(\w+)"$/.exec(item)?.[1])).toEqual(table.fields);
  });

  it.each(Object.entries(TABLES))("can be used to select %s", async (_model, table) => {
    const read = database.query(`SELECT ${selectList("t", table)} FROM ${table.name} t`);
    await expect(read).resolves.toEqual([]);
  });
});

describe("listedSelectList", () => {
  it("omits the workspace, secrets and leases", () => {
    for (const table of Object.values(TABLES)) {
      expect(listedSelectList("t", table)).not.toMatch(/workspace_id|digest|lease/);
    }
    expect(listedSelectList("t", TABLES.message)).toBe(
      selectList("t", TABLES.message).replace('t."workspace_id" AS "workspaceId", ', ""),
    );
  });
});

/** JSON of at most a few kilobytes, except for labels of 16 KB. */
const SMALL = new Set([
  ...["labels", "created_by", "issued_by", "sender", "position", "velocity", "scores"],
  ...["dataset", "result_counts", "source", "updated_by"],
  ...[
    "revoked_by",
    "resolved_by",
    "reviewed_by",
    "credential_set_by",
    "thresholds",
    "amounts",
    "reported",
    "tiers",
  ],
  ...["decision.budget", "subject", "approval"],
  // Not listed.
  "entities",
]);

/** Other columns that may have kilobytes. */
const LARGE_TEXTS = ["when", "actions"];

describe("large fields", () => {
  it.each(Object.entries(TABLES))(
    "of %s are all its JSON and long texts but small ones, stored uncompressed",
    async (_model, table) => {
      const columns = await database.query<{ name: string; storage: string }>(
        `SELECT attname AS name, attstorage AS storage FROM pg_attribute
       WHERE attrelid = $1::regclass AND NOT attisdropped
         AND (atttypid = 'jsonb'::regtype OR attname = ANY($2))`,
        [table.name, LARGE_TEXTS],
      );
      const json = columns.filter(({ name }) => !SMALL.has(name) && !SMALL.has(`${table.name}.${name}`));
      expect((table.large ?? []).map(toColumnName).toSorted()).toEqual(
        json.map(({ name }) => name).toSorted(),
      );
      expect(new Set(json.map(({ storage }) => storage))).toEqual(new Set(json.length === 0 ? [] : ["e"]));
    },
  );
});
