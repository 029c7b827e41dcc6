import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type EarlierVersion, checkOutEarlier, findEarlierRef } from "../support/earlier-version.ts";
import { sharedToken, startReader } from "../support/event-reader.ts";
import {
  type Keys,
  type Load,
  type LoadedNode,
  connectTo,
  createLoad,
  expectWhole,
  takeTurn,
} from "../support/mixed-load.ts";
import { type NodeProcess, startNode } from "../support/node-process.ts";

const WORKERS = 4;
/** How long the earlier version serves alone, both serve, and this one serves alone. */
const PHASES_MS = { before: 4000, together: 15_000, after: 4000 };
const ENVIRONMENT = { DEMO: "0", LOG_LEVEL: "info" };

let earlier: EarlierVersion;
let database: pg.Client;
let databaseUrl: string;

beforeAll(async () => {
  earlier = await checkOutEarlier(await findEarlierRef());
  const name = `agent_ops_upgrade_${process.pid}`;
  const admin = new pg.Client({ connectionString: inject("adminUrl") });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  databaseUrl = Object.assign(new URL(inject("adminUrl")), { pathname: `/${name}` }).href;
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
}, 600_000);

afterAll(async () => {
  await earlier.remove();
  await database.end();
  const admin = new pg.Client({ connectionString: inject("adminUrl") });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${new URL(databaseUrl).pathname.slice(1)} WITH (FORCE)`);
  await admin.end();
});

/** Has clients work until told to stop. */
function startWork(load: Load, pick: () => LoadedNode): () => Promise<void> {
  const over = new AbortController();
  const workers = Array.from({ length: WORKERS }, async () => {
    while (!over.signal.aborted) await takeTurn(load, pick);
  });
  return async () => {
    over.abort();
    await Promise.all(workers);
  };
}

describe("an earlier version and this one on one database", () => {
  it("serve side by side while this one migrates, without a failed request or a lost event", async () => {
    const old = await earlier.start({ DATABASE_URL: databaseUrl, ...ENVIRONMENT });
    const made: Keys = JSON.parse(
      await earlier.ops(["workspace", "create", "--name", "Acme", "--json"], { DATABASE_URL: databaseUrl }),
    );
    const before = connectTo(old.url, made);
    const load = createLoad();
    let nodes = [before];
    let turns = 0;
    const pick = () => nodes[(turns += 1) % nodes.length] ?? before;
    const token = await sharedToken(old.url, made.api_key);
    const reader = await startReader({ nodes: () => pick().url, token, after: null });
    const { rows } = await database.query("SELECT coalesce(max(seq), 0)::int AS seq FROM event");
    const stopWork = startWork(load, pick);
    let fresh: NodeProcess | undefined;
    try {
      await pause(PHASES_MS.before);
      const alone = load.requests;
      fresh = await startNode(databaseUrl, ENVIRONMENT);
      const whileMigrating = load.requests - alone;
      nodes = [before, connectTo(fresh.url, made)];
      await pause(PHASES_MS.together / 3);
      reader.cut();
      await pause((2 * PHASES_MS.together) / 3);
      nodes = nodes.slice(1);
      // As a proxy does: the earlier one gets nothing new, and is stopped while it may still answer.
      expect(await old.stop()).toBe(0);
      await pause(PHASES_MS.after);
      await stopWork();
      await expectWhole(load, { database, reader, first: rows[0].seq });
      // It was busy meanwhile.
      expect(whileMigrating).toBeGreaterThan(0);
    } finally {
      await stopWork();
      reader.stop();
      await fresh?.stop();
    }
  }, 900_000);
});
