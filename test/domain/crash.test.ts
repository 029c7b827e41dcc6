import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { checkAuditChain } from "../support/audit-chain.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const WRITER = fileURLToPath(new URL("../support/task-writer.ts", import.meta.url));

/** The application name of the writer's database sessions. */
const APPLICATION = "task-writer";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** Runs the writer and kills it after this many ids. @returns all ids it has written. */
async function writeUntilKilled(workspaceId: string, count: number): Promise<string[]> {
  const url = new URL(server.database.url);
  url.searchParams.set("application_name", APPLICATION);
  const args = ["--import", "tsx", WRITER, url.href, workspaceId];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const ids: string[] = [];
  for await (const id of createInterface({ input: child.stdout })) {
    if (ids.push(id) === count) child.kill("SIGKILL");
  }
  expect(await exited).toEqual([null, "SIGKILL"]);
  return ids;
}

/** A killed client's statements finish or roll back before its sessions end. */
async function untilItsSessionsAreGone(): Promise<void> {
  await vi.waitFor(
    async () => {
      const [row] = await server.database.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = $1`,
        [APPLICATION],
      );
      expect(row?.count).toBe(0);
    },
    { timeout: 10_000, interval: 20 },
  );
}

describe("a process killed while writing", () => {
  it("loses nothing acknowledged, and leaves totals, events and the audit log exact", async () => {
    const { workspaceId } = await server.createWorkspace();
    const { query } = server.database;
    const acknowledged: string[] = [];
    for (const count of [1, 23, 60, 111]) {
      acknowledged.push(...(await writeUntilKilled(workspaceId, count)));
      await untilItsSessionsAreGone();
    }
    const tasks = await query<{ id: string }>("SELECT id FROM task WHERE workspace_id = $1", [workspaceId]);
    const stored = new Set(tasks.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThanOrEqual(195);
    expect(
      await query(
        "SELECT facet, total FROM collection_total WHERE workspace_id = $1 AND collection = 'tasks' ORDER BY 1",
        [workspaceId],
      ),
    ).toEqual([
      { facet: "all", total: stored.size },
      { facet: "submitted", total: stored.size },
    ]);
    const events = await query<{ type: string; subject_id: string; seq: string }>(
      "SELECT type, subject_id, seq FROM event WHERE workspace_id = $1 ORDER BY seq",
      [workspaceId],
    );
    expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, index) => index + 1));
    const created = events.filter(({ type }) => type === "task.created");
    expect(new Set(created.map((event) => event.subject_id))).toEqual(stored);
    expect((await checkAuditChain(server.database, workspaceId)).brokenAt).toBeNull();
  });
});
