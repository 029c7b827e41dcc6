import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { EmbeddedDatabase } from "../../src/db/embedded.ts";
import { startTemporary } from "../../src/db/embedded-temporary.ts";
import { migrate } from "../../src/db/migrate.ts";
import { diffFromMigrations, prismaFolder } from "../../src/db/schema-engine.ts";

const log = pino({ level: "silent" });
const withFunction = `CREATE TABLE pet (name text); -- it's one; script
CREATE FUNCTION greet() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'a;b'; END $$;
INSERT INTO pet VALUES ('rex');
`;
let server: EmbeddedDatabase;
let url: string;
let folder: string;
let count = 0;

beforeAll(async () => {
  server = await startTemporary(log);
});

afterAll(async () => {
  await server.stop();
});

beforeEach(async ({ onTestFinished }) => {
  count += 1;
  await query(server.url, `CREATE DATABASE migrate_${count}`);
  url = Object.assign(new URL(server.url), { pathname: `/migrate_${count}` }).href;
  folder = await mkdtemp(join(tmpdir(), "agent-ops-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
});

describe("migrate", () => {
  it("applies new migrations in order, each once", async () => {
    await writeMigration("20260101000000_first", withFunction);
    expect(await migrate(url, log, folder)).toEqual(["20260101000000_first"]);
    await writeMigration("20260103000000_third", "ALTER TABLE pet ADD COLUMN colour text;");
    await writeMigration("20260102000000_second", "ALTER TABLE pet ADD COLUMN age int;");
    expect(await migrate(url, log, folder)).toEqual(["20260102000000_second", "20260103000000_third"]);
    expect(await migrate(url, log, folder)).toEqual([]);
    expect(await query(url, "SELECT *, greet() FROM pet")).toEqual([
      { name: "rex", age: null, colour: null, greet: "a;b" },
    ]);
  });

  it("lets others go on while it waits for a table, and tries again", async () => {
    await writeMigration("20260101000000_first", "CREATE TABLE pet (name text);");
    await migrate(url, log, folder);
    const busy = new pg.Client({ connectionString: url });
    await busy.connect();
    await busy.query("BEGIN; SELECT * FROM pet");
    await writeMigration("20260102000000_second", "ALTER TABLE pet ADD COLUMN age int;");
    const migrated = migrate(url, log, folder);
    // Until it gives up for the first time, it has everybody wait.
    await vi.waitUntil(async () => (await countWaiting("ALTER TABLE pet%")) === 1, { timeout: 20_000 });
    expect(await query(url, "SELECT * FROM pet")).toEqual([]);
    await busy.query("COMMIT");
    await busy.end();
    expect(await migrated).toEqual(["20260102000000_second"]);
  });

  async function countWaiting(pattern: string): Promise<number> {
    const rows = await query(
      server.url,
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1",
      [pattern],
    );
    return rows.length;
  }

  it("writes the same records as Prisma", async () => {
    await writeMigration("20260101000000_first", withFunction);
    await migrate(url, log, folder);
    const rows = await query(
      url,
      "SELECT *, checksum = encode(sha256($1), 'hex') AS is_sha256 FROM _prisma_migrations",
      [Buffer.from(withFunction)],
    );
    expect(rows).toEqual([
      expect.objectContaining({
        migration_name: "20260101000000_first",
        finished_at: expect.any(Date),
        rolled_back_at: null,
        logs: null,
        applied_steps_count: 1,
        is_sha256: true,
      }),
    ]);
  });

  it("ignores differences in line ends", async () => {
    await writeMigration("20260101000000_first", withFunction);
    await migrate(url, log, folder);
    await writeMigration("20260101000000_first", withFunction.replaceAll("\n", "\r\n"));
    expect(await migrate(url, log, folder)).toEqual([]);
  });

  it("applies each migration once if several nodes start together", async () => {
    await writeMigration("20260101000000_first", withFunction);
    await writeMigration(
      "20260102000000_second",
      "ALTER TABLE pet ADD COLUMN age int; SELECT pg_sleep(0.1);",
    );
    const results = await Promise.all([1, 2, 3].map(() => migrate(url, log, folder)));
    expect(results.flat()).toEqual(["20260101000000_first", "20260102000000_second"]);
  });

  it("reports a failing migration with its position, and rolls it back", async () => {
    await writeMigration("20260101000000_first", withFunction);
    await writeMigration(
      "20260102000000_second",
      "CREATE TABLE toy (id int);\nALTER TABLE toy ADD COLUMN kind nonsense;",
    );
    await expect(migrate(url, log, folder)).rejects.toThrow(
      /20260102000000_second failed and was rolled back: type "nonsense" does not exist \(42704; line 2/,
    );
    expect(
      await query(url, "SELECT migration_name, to_regclass('toy') AS toy FROM _prisma_migrations"),
    ).toEqual([{ migration_name: "20260101000000_first", toy: null }]);
    await writeMigration("20260102000000_second", "CREATE TABLE toy (id int);");
    expect(await migrate(url, log, folder)).toEqual(["20260102000000_second"]);
  });

  it("stops at an incomplete migration, and says how to continue", async () => {
    await writeMigration("20260101000000_first", "CREATE TABLE toy (id int); COMMIT; SELECT nonsense;");
    await expect(migrate(url, log, folder)).rejects.toThrow(
      /20260101000000_first failed after a part was applied: column "nonsense"/,
    );
    await expect(migrate(url, log, folder)).rejects.toThrow(
      /UPDATE _prisma_migrations SET rolled_back_at = now\(\)/,
    );
    await query(url, "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL");
    await writeMigration("20260101000000_first", "CREATE TABLE IF NOT EXISTS toy (id int);");
    expect(await migrate(url, log, folder)).toEqual(["20260101000000_first"]);
  });

  it("rejects a database with an unknown migration", async () => {
    await writeMigration("20260101000000_first", "CREATE TABLE pet (id int);");
    await writeMigration("20260102000000_second", "CREATE TABLE toy (id int);");
    await migrate(url, log, folder);
    await rm(join(folder, "20260102000000_second"), { recursive: true });
    await writeMigration("20260103000000_third", "CREATE TABLE bone (id int);");
    await expect(migrate(url, log, folder)).rejects.toThrow(/20260102000000_second, which this version/);
    expect(await query(url, "SELECT to_regclass('bone') AS bone")).toEqual([{ bone: null }]);
  });

  it("rejects a database with a different version of a migration", async () => {
    await writeMigration("20260101000000_first", "CREATE TABLE pet (id int);");
    await migrate(url, log, folder);
    await writeMigration("20260101000000_first", "CREATE TABLE pet (id bigint);");
    await expect(migrate(url, log, folder)).rejects.toThrow(
      /20260101000000_first has changed since it was applied/,
    );
  });

  it("rejects a database with other contents", async () => {
    await query(url, "CREATE TABLE theirs (id int)");
    await writeMigration("20260101000000_first", "CREATE TABLE pet (id int);");
    await expect(migrate(url, log, folder)).rejects.toThrow(/not empty and has no record of migrations/);
    expect(
      await query(url, "SELECT to_regclass('pet') AS pet, to_regclass('_prisma_migrations') AS record"),
    ).toEqual([{ pet: null, record: null }]);
  });
});

describe("prisma/migrations", () => {
  it("result in prisma/schema.prisma", async () => {
    expect(await diffFromMigrations(url), "run npx tsx scripts/new-migration.ts <name>").toBeUndefined();
  });

  it("are applied completely to an empty database", async () => {
    expect(await migrate(url, log)).not.toEqual([]);
    expect(await migrate(url, log)).toEqual([]);
  });
});

describe("diffFromMigrations", () => {
  it("reports what the migrations lack", async () => {
    await cp(prismaFolder(), folder, { recursive: true });
    const schema = await readFile(join(folder, "schema.prisma"), "utf8");
    await writeFile(
      join(folder, "schema.prisma"),
      `${schema}\nmodel Drift {\n  id Int @id\n  @@map("drift")\n}\n`,
    );
    expect(await diffFromMigrations(url, folder)).toMatch(/^-- CreateTable\nCREATE TABLE "drift" \(/);
  });

  it("reports what the schema lacks, and leaves no database behind", async () => {
    await cp(prismaFolder(), folder, { recursive: true });
    await mkdir(join(folder, "migrations", "99990101000000_drift"));
    await writeFile(
      join(folder, "migrations", "99990101000000_drift", "migration.sql"),
      "CREATE TABLE drift (id int);",
    );
    const before = await query(server.url, "SELECT datname FROM pg_database ORDER BY 1");
    expect(await diffFromMigrations(url, folder)).toContain('DROP TABLE "drift"');
    expect(await query(server.url, "SELECT datname FROM pg_database ORDER BY 1")).toEqual(before);
  });
});

async function writeMigration(name: string, sql: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, name, "migration.sql"), sql);
}

async function query(connectionString: string, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
