import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";
import { sharedToken, startReader } from "../support/event-reader.ts";
import { connectTo, createLoad, expectWhole, takeTurn } from "../support/mixed-load.ts";
import { type Pooler, hasPgbouncer, startPgbouncer } from "../support/pgbouncer.ts";
import { type TestServer, startOn } from "../support/server.ts";

/** Fewer than the 40 of two servers. */
const CONNECTIONS = 6;
const [WORKERS, TURNS] = [12, 25];

describe.skipIf(!hasPgbouncer())("two servers behind PgBouncer in transaction mode", () => {
  let database: TestDatabase;
  let direct: pg.Client;
  let pooler: Pooler;
  let servers: TestServer[];

  beforeAll(async () => {
    database = await createTestDatabase();
    direct = new pg.Client({ connectionString: database.url });
    await direct.connect();
    pooler = await startPgbouncer(database.url, CONNECTIONS);
    const environment = { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: database.url };
    servers = [await startOn(database, environment), await startOn(database, environment)];
  });

  afterAll(async () => {
    for (const server of servers) await server.stop();
    await pooler.stop();
    await direct.end();
    await database.drop();
  });

  it("serve many clients with few connections, without a failed request or a lost event, also after it restarts", async () => {
    const [first, second] = servers;
    if (first === undefined || second === undefined) throw new Error("there are no servers");
    const { apiKey, scimToken } = await first.createWorkspace();
    const keys = { api_key: apiKey, scim_token: scimToken };
    const nodes = [connectTo(first.url, keys), connectTo(second.url, keys)] as const;
    let turns = 0;
    const pick = () => nodes[(turns += 1) % 2 === 0 ? 0 : 1];
    const reader = await startReader({
      nodes: () => pick().url,
      token: await sharedToken(first.url, apiKey),
      after: null,
    });
    const { rows } = await direct.query("SELECT coalesce(max(seq), 0)::int AS seq FROM event");
    const load = createLoad();
    async function workTogether(): Promise<void> {
      const workers = Array.from({ length: WORKERS }, async () => {
        for (let turn = 0; turn < TURNS; turn += 1) await takeTurn(load, pick);
      });
      await Promise.all(workers);
    }
    await workTogether();
    const { rows: used } = await direct.query(
      "SELECT count(*)::int AS connections FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'agent-ops'",
    );
    expect(used).toEqual([{ connections: CONNECTIONS }]);
    await pooler.restart();
    await Promise.all(nodes.map(async ({ agent }) => untilServed(agent)));
    await workTogether();
    await expectWhole(load, { database: direct, reader, first: rows[0].seq });
    reader.stop();
  });

  it("have the server's time limits in each transaction", async () => {
    const pooled = new pg.Client({ connectionString: pooler.url });
    await pooled.connect();
    const { rows } = await pooled.query(
      `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
         current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit`,
    );
    await pooled.end();
    expect(rows).toEqual([{ statement: "10s", lock: "9s", idle: "3s", jit: "off" }]);
  });
});

/** Asks until a node has connections again. What was begun before has failed. */
async function untilServed({ send }: ReturnType<typeof connectTo>["agent"]): Promise<void> {
  await expect.poll(async () => (await send("/api/v1/tasks?limit=1", {})).status).toBe(200);
}
