import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/client.ts";
import type { EmbeddedDatabase } from "../../src/db/embedded.ts";
import { startTemporary } from "../../src/db/embedded-temporary.ts";
import { allowLag, buildStatement } from "../../src/db/sql.ts";
import { type Standby, createStandby } from "../support/standby.ts";

const WHERE = buildStatement<{ isReplica: boolean }>("", 'SELECT pg_is_in_recovery() AS "isReplica"');
const MAX_LAG_MS = 2500;

let primary: EmbeddedDatabase;
let standby: Standby;
let database: Database;
const logged: string[] = [];

beforeAll(async () => {
  const log = pino({ level: "warn" });
  primary = await startTemporary(log);
  standby = await createStandby(primary.url);
  await standby.start();
  const kept = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  database = openDatabase(primary.url, kept, { replicaUrl: standby.url, maxLagMs: MAX_LAG_MS });
}, 60_000);

afterAll(async () => {
  await database.close();
  await standby.stop();
  await primary.stop();
});

/** Whether a statement that may lag is answered by the replica. */
async function asksReplica(): Promise<boolean | undefined> {
  const [row] = await database.run(allowLag(WHERE), []);
  return row?.isReplica;
}

async function onStandby(text: string): Promise<void> {
  const other = openDatabase(standby.url, pino({ level: "silent" }));
  await other.run(buildStatement("", text), []);
  await other.close();
}

describe("a replica", () => {
  it("is asked by statements that may lag, once it is known to be fresh, and by no others", async () => {
    expect(await asksReplica()).toBe(false);
    await expect.poll(asksReplica).toBe(true);
    expect(await database.run(WHERE, [])).toEqual([{ isReplica: false }]);
    await database.transaction(async (tx) => {
      expect(await tx.run(allowLag(WHERE), [])).toEqual([{ isReplica: false }]);
      return { result: undefined, last: [] };
    });
  });

  it("is not asked while it is behind, and again when it has caught up", async () => {
    await expect.poll(asksReplica).toBe(true);
    await onStandby("SELECT pg_wal_replay_pause()");
    await database.run(buildStatement("", "CREATE TABLE written (id int)"), []);
    await expect.poll(asksReplica, { timeout: 10_000 }).toBe(false);
    await expect.poll(() => logged.at(-1), { timeout: 10_000 }).toBe("the database's replica is not used");
    await onStandby("SELECT pg_wal_replay_resume()");
    await expect.poll(asksReplica, { timeout: 10_000 }).toBe(true);
    expect(logged.at(-1)).toBe("the database's replica is used again");
  });

  it("is replaced by the primary at once when it ends, and asked again when it is back", async () => {
    await expect.poll(asksReplica).toBe(true);
    await standby.stop();
    expect(await asksReplica()).toBe(false);
    await standby.start();
    await expect.poll(asksReplica, { timeout: 10_000 }).toBe(true);
  });

  it("fails a statement as the primary would", async () => {
    await expect.poll(asksReplica).toBe(true);
    const wrong = database.run(allowLag(buildStatement("", "SELECT 'many'::int AS one")), []);
    await expect(wrong).rejects.toThrow("invalid input syntax");
  });
});
