import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase, shareRuns } from "../../src/db/client.ts";
import { type Run, type Statement, share } from "../../src/db/sql.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";

const ECHO = share({ name: "echo", text: "SELECT $1::int AS value" });
const COUNT: Statement<{ value: number }> = share({
  name: "count",
  text: "SELECT count(*)::int AS value FROM noted",
});
const FAIL = share({ name: "fail", text: "SELECT 1 / $1::int AS value" });

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.url, pino({ level: "silent" }));
  await test.query("CREATE TABLE noted (id int)");
});

afterAll(async () => {
  await database.close();
  await test.drop();
});

/** A shared read of the database, and the statements it has run. */
function countReads(): { read: Run; ran: unknown[][] } {
  const ran: unknown[][] = [];
  const readIn = shareRuns(() => (statement, values) => {
    ran.push([statement.name, ...values]);
    return database.run(statement, values);
  });
  return { read: readIn({ owner: "one", name: "reads" }), ran };
}

describe("shareRuns", () => {
  it("runs one statement for identical concurrent reads", async () => {
    const { read, ran } = countReads();
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(ECHO, [7])));
    expect(answers).toEqual(Array.from({ length: 20 }, () => [{ value: 7 }]));
    expect(ran).toEqual([["echo", 7]]);
  });

  it("never returns the result of other values or another statement", async () => {
    const { read, ran } = countReads();
    const asked = [read(ECHO, [1]), read(ECHO, [2]), read(COUNT, []), read(ECHO, [1])];
    expect(await Promise.all(asked)).toEqual([
      [{ value: 1 }],
      [{ value: 2 }],
      [{ value: 0 }],
      [{ value: 1 }],
    ]);
    expect(ran).toHaveLength(3);
  });

  it("includes everything committed before the call", async () => {
    const { read } = countReads();
    for (let count = 1; count <= 30; count++) {
      const earlier = read(COUNT, []);
      await database.prisma.$executeRawUnsafe("INSERT INTO noted VALUES (1)");
      const [row] = await read(COUNT, []);
      expect(row?.value).toBe(count);
      await earlier;
    }
  });

  it("fails for all waiting callers, and not for later ones", async () => {
    const { read, ran } = countReads();
    const asked = await Promise.allSettled([read(FAIL, [0]), read(FAIL, [0])]);
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await expect(read(FAIL, [0])).rejects.toMatchObject({ code: "22012" });
    expect(await read(FAIL, [1])).toEqual([{ value: 1 }]);
    expect(ran).toHaveLength(3);
  });
});
