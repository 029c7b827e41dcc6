import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/client.ts";
import type { Statement } from "../../src/db/sql.ts";
import { lockTable } from "../support/locked-table.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

type Shown = { statement_timeout: string };

const SHOW: Statement<Shown> = { name: "show_timeout", text: "SHOW statement_timeout" };

let world: TestWorld;
let database: Database;

beforeAll(async () => {
  world = await createWorld();
  // One connection, so that the next statement meets whatever a transaction left behind.
  database = openDatabase(world.server.database.url, pino({ level: "silent" }), { poolSize: 1 });
});

afterAll(async () => {
  await database.close();
  await world.server.close();
});

/** Every way to query a database, with its time limit. */
const WAYS: [string, string, (database: Database) => Promise<Shown[]>][] = [
  ["a statement", "10s", ({ run }) => run(SHOW, [])],
  ["raw SQL through Prisma", "10s", ({ prisma }) => prisma.$queryRawUnsafe(SHOW.text)],
  [
    "a transaction",
    "30s",
    ({ transaction }) => transaction(async ({ run }) => ({ result: await run(SHOW, []), last: [] })),
  ],
];

describe("a statement", () => {
  it.each([...WAYS, ...WAYS.toReversed()])("has a time limit: %s %s", async (_way, timeout, ask) => {
    expect(await ask(database)).toEqual([{ statement_timeout: timeout }]);
  });

  it("that takes too long fails as such, not as an unavailable database", async () => {
    const { server, agent } = world;
    const tasks = await lockTable(server.database, "task");
    const answer = agent.get("/api/v1/tasks");
    const [pid] = await tasks.waiters(1);
    // PostgreSQL's error for a statement over its time limit.
    await server.database.query("SELECT pg_cancel_backend($1)", [pid]);
    const { status, headers, body } = await answer;
    await tasks.release();
    expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
    expect(body).toMatchObject({
      code: "unavailable",
      detail: "This took too long and was canceled. Ask for less at once.",
    });
  });
});
