import pino from "pino";
import { describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/client.ts";
import { getDatabaseErrorKind } from "../../src/db/database-errors.ts";

/** Every way to query a database. */
const WAYS: Record<string, (database: Database) => Promise<unknown>> = {
  "a prepared statement": ({ run }) => run({ name: "one", text: "SELECT 1" }, []),
  "a query of Prisma's": ({ prisma }) => prisma.user.count(),
  "raw SQL through Prisma": ({ prisma }) => prisma.$queryRawUnsafe("SELECT 1"),
  "a raw write through Prisma": ({ prisma }) => prisma.$executeRawUnsafe("SELECT 1"),
  "a transaction": ({ transaction }) =>
    transaction(async ({ run }) => ({ result: await run({ name: "one", text: "SELECT 1" }, []), last: [] })),
};

describe("getDatabaseErrorKind", () => {
  it.each(Object.entries(WAYS))("detects an unreachable database for %s", async (_name, ask) => {
    // Nothing listens on port 9.
    const database = openDatabase("postgres://nobody@127.0.0.1:9/nothing", pino({ level: "silent" }));
    const error = await ask(database).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(getDatabaseErrorKind(error)).toBe("unavailable");
    await database.close();
  });
});
