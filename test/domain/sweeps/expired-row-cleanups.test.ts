import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepExpiredRows } from "../../support/sweep.ts";
import { countBlocks } from "../../support/explain-list.ts";
import { explainAsked, recordStatements } from "../../support/recorded-statements.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("the cleanup of expired rows", () => {
  it("deletes a workspace's oldest events past its retention and advances the first cursor", async () => {
    const { workspaceId, apiKey } = await server.createWorkspace();
    const agent = createTestClient(server.url, apiKey);
    for (const title of ["one", "two", "three"]) await agent.post("/api/v1/tasks", { title });
    const { query } = server.database;
    const seqs = "SELECT seq FROM event WHERE workspace_id = $1 ORDER BY seq";
    const before = await query<{ seq: string }>(seqs, [workspaceId]);
    await query(
      "UPDATE event SET occurred_at = now() - interval '8 days' WHERE workspace_id = $1 AND seq <= $2",
      [workspaceId, before.at(-2)?.seq],
    );
    await sweepExpiredRows(server.services);
    expect(await query(seqs, [workspaceId])).toEqual([before.at(-1)]);
    const head = "SELECT min_seq AS seq FROM workspace_head WHERE workspace_id = $1";
    expect(await query(head, [workspaceId])).toEqual([before.at(-1)]);
  });

  it("does not read events it keeps", async () => {
    const { workspaceId } = await server.createWorkspace();
    const { query } = server.database;
    await query(
      `INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
       SELECT $1, 1000 + n, gen_random_uuid(), 'test.made', 'test', gen_random_uuid(), '{}', '{}', now()
       FROM generate_series(1, 20000) n`,
      [workspaceId],
    );
    await query("VACUUM ANALYZE event");
    const { services, asked } = recordStatements(server.services);
    await sweepExpiredRows(services);
    const ofEvents = asked.filter(({ statement }) => statement.text.includes("FROM event"));
    expect(ofEvents).toHaveLength(1);
    for (const one of ofEvents) {
      const [plan] = await explainAsked(server.database, one, "custom");
      expect(countBlocks(plan)).toBeLessThan(200);
    }
  });

  it("finds what has expired by an index", async () => {
    const { services, asked } = recordStatements(server.services);
    await sweepExpiredRows(services);
    const deletions = asked.filter(({ statement }) => statement.name.startsWith("expired_"));
    expect(deletions).toHaveLength(15);
    const session = new pg.Client({ connectionString: server.database.url });
    await session.connect();
    // The tables are nearly empty: an index is used where there is one.
    await session.query("SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off");
    for (const { statement } of deletions) {
      const { rows } = await session.query<{ "QUERY PLAN": string }>(`EXPLAIN ${statement.text}`);
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan, statement.name).toContain("Index Cond");
      expect(plan, statement.name).not.toMatch(/Seq Scan|Sort/);
    }
    await session.end();
  });

  it("keeps the events after the first one that is kept, so that no gap arises", async () => {
    const { workspaceId } = await server.createWorkspace();
    const { query } = server.database;
    const seqs = "SELECT seq FROM event WHERE workspace_id = $1 ORDER BY seq";
    await query(
      `INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
       SELECT $1, 1000 + n, gen_random_uuid(), 'test.made', 'test', gen_random_uuid(), '{}', '{}',
         now() - interval '8 days' * (n <> 2)::int FROM generate_series(1, 3) n`,
      [workspaceId],
    );
    await query("DELETE FROM event WHERE workspace_id = $1 AND seq <= 1000", [workspaceId]);
    await sweepExpiredRows(server.services);
    expect(await query(seqs, [workspaceId])).toEqual([{ seq: "1002" }, { seq: "1003" }]);
  });

  it("deletes several batches of each workspace", async () => {
    const { query } = server.database;
    const workspaceIds: string[] = [];
    for (const count of [12_000, 6000]) {
      const { workspaceId } = await server.createWorkspace();
      await query(
        `INSERT INTO event (workspace_id, seq, id, type, subject_type, subject_id, actor, data, occurred_at)
         SELECT $1, 1000 + n, gen_random_uuid(), 'test.made', 'test', gen_random_uuid(), '{}', '{}',
           now() - interval '8 days' FROM generate_series(1, $2::int) n`,
        [workspaceId, count],
      );
      await query("UPDATE event SET occurred_at = now() - interval '8 days' WHERE workspace_id = $1", [
        workspaceId,
      ]);
      workspaceIds.push(workspaceId);
    }
    expect((await sweepExpiredRows(server.services))["event"]).toBeGreaterThanOrEqual(18_000);
    expect(await query("SELECT 1 FROM event WHERE workspace_id = ANY($1)", [workspaceIds])).toEqual([]);
  });

  it("deletes an Idempotency-Key after exactly 24 hours", async () => {
    const { apiKey } = await server.createWorkspace();
    const agent = createTestClient(server.url, apiKey);
    await agent.post("/api/v1/tasks", { title: "old" }, { "idempotency-key": "old" });
    await agent.post("/api/v1/tasks", { title: "new" }, { "idempotency-key": "new" });
    const { query } = server.database;
    await query("UPDATE idempotency_key SET created_at = now() - interval '24 hours' WHERE key = 'old'");
    await sweepExpiredRows(server.services);
    expect(await query("SELECT key FROM idempotency_key")).toEqual([{ key: "new" }]);
  });

  it.each([
    ["reset_request", "created_at", "1 hour"],
    ["mail_outbox", "created_at", "1 day"],
    ["throttle", "touched_at", "1 hour"],
    ["users_tokens", "expires_at", "0 seconds"],
  ])("deletes the rows of %s whose %s is %s ago, and no younger ones", async (table, column, age) => {
    const { query } = server.database;
    const { workspaceId } = await server.createWorkspace();
    const userId = crypto.randomUUID();
    await query(`INSERT INTO "user" (workspace_id, id, role) VALUES ($1, $2, 'viewer')`, [
      workspaceId,
      userId,
    ]);
    const at = [`now() - interval '${age}'`, `now() - interval '${age}' + interval '1 minute'`];
    for (const time of at) {
      const rows: Record<string, string> = {
        // Due in an hour, so that the server doesn't deliver them.
        reset_request: `(id, email, created_at, next_attempt_at)
          VALUES (gen_random_uuid(), 'ada@example.com', ${time}, now() + interval '1 hour')`,
        mail_outbox: `(workspace_id, id, user_id, kind, sent_to, auth_epoch, created_at, next_attempt_at)
          VALUES ('${workspaceId}', gen_random_uuid(), '${userId}', 'new_device', 'ada@example.com', 0, ${time},
            now() + interval '1 hour')`,
        throttle: `(key, hits, touched_at) VALUES (sha256(gen_random_uuid()::text::bytea), '{}', ${time})`,
        users_tokens: `(workspace_id, id, user_id, context, token_digest, auth_epoch, expires_at)
          VALUES ('${workspaceId}', gen_random_uuid(), '${userId}', 'invitation',
            sha256(gen_random_uuid()::text::bytea), 0, ${time})`,
      };
      await query(`INSERT INTO ${table} ${rows[table]}`);
    }
    await sweepExpiredRows(server.services);
    const left = await query(`SELECT ${column} > ${at[0]} AS younger FROM ${table}`);
    expect(left).toEqual([{ younger: true }]);
  });
});
