import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDeclaredIndexes } from "../../src/db/diagnosis/declared-indexes.ts";
import { prismaFolder, readMigrations } from "../../src/db/schema-engine.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

describe("readDeclaredIndexes", () => {
  it("reads from the migrations which indexes a database has", async () => {
    const { migrationDirectories } = await readMigrations(join(prismaFolder(), "migrations"));
    const declared = readDeclaredIndexes(
      migrationDirectories.map(({ migrationFile }) => migrationFile.content.value),
    );
    const rows = await database.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
         AND c.relname <> '_prisma_migrations_pkey'`,
    );
    expect([...declared.keys()].toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it("has statements that create each index again", async () => {
    const { migrationDirectories } = await readMigrations(join(prismaFolder(), "migrations"));
    const declared = readDeclaredIndexes(
      migrationDirectories.map(({ migrationFile }) => migrationFile.content.value),
    );
    const readDefinitions = () =>
      database.query("SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1");
    const before = await readDefinitions();
    const statements = [...declared].filter(([, statement]) => statement !== null);
    for (const [name, statement] of statements)
      await database.query(`DROP INDEX "${name}" CASCADE; ${statement}`);
    expect(await readDefinitions()).toEqual(before);
  });
});
