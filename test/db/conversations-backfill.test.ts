import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EmbeddedDatabase } from "../../src/db/embedded.ts";
import { startTemporary } from "../../src/db/embedded-temporary.ts";
import { migrate } from "../../src/db/migrate.ts";
import { prismaFolder } from "../../src/db/schema-engine.ts";
import { readConversationTruths } from "../support/conversations.ts";

const log = pino({ level: "silent" });
const MIGRATIONS = join(prismaFolder(), "migrations");
const WORKSPACE = crypto.randomUUID();

let server: EmbeddedDatabase;
let client: pg.Client;

beforeAll(async () => {
  server = await startTemporary(log);
  client = new pg.Client({ connectionString: server.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await server.stop();
});

describe("the migration of conversations", () => {
  it("creates them from existing messages", async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), "agent-ops-migrations-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const names = (await readdir(MIGRATIONS)).toSorted();
    const before = names.slice(
      0,
      names.findIndex((name) => name.endsWith("_conversations")),
    );
    for (const name of before) await cp(join(MIGRATIONS, name), join(folder, name), { recursive: true });
    await migrate(server.url, log, folder);
    await fill();
    await migrate(server.url, log, MIGRATIONS);
    const database = {
      query: async <Row extends object>(text: string, values?: unknown[]) =>
        (await client.query<Row>(text, values)).rows,
    };
    const { kept, true: expected } = await readConversationTruths({ database }, WORKSPACE);
    expect(kept).toEqual(expected);
    expect(kept).toMatchObject([
      expect.any(Array),
      { all: 6, waiting: 2 },
      [expect.any(String), expect.any(String)],
    ]);
  });
});

/** An open question of a task, one of a finished task, one without a task, and an answered one. */
async function fill(): Promise<void> {
  const [waiting, ended] = [crypto.randomUUID(), crypto.randomUUID()];
  await client.query("INSERT INTO workspace (id, slug, name) VALUES ($1, 'old', 'Old')", [WORKSPACE]);
  await client.query(
    "INSERT INTO collection_total (workspace_id, collection, facet, total, version) VALUES ($1, 'messages', 'all', 6, 6)",
    [WORKSPACE],
  );
  const tasks: [string, string][] = [
    [waiting, "input_required"],
    [ended, "failed"],
  ];
  for (const [id, status] of tasks) {
    await client.query(
      `INSERT INTO task (workspace_id, id, context_id, title, status, created_by)
       VALUES ($1, $2::uuid, $2::uuid, 'x', $3::task_status, '{}')`,
      [WORKSPACE, id, status],
    );
    await insertMessage({ context: id, taskId: id, kind: "question" });
    await client.query(
      "UPDATE task SET question_id = (SELECT id FROM message WHERE task_id = $1) WHERE id = $1",
      [id],
    );
  }
  const context = crypto.randomUUID();
  await insertMessage({ context, kind: "question" });
  await insertMessage({ context, kind: "text" });
  await insertMessage({ context: crypto.randomUUID(), kind: "question", answeredById: crypto.randomUUID() });
  await insertMessage({ context: crypto.randomUUID(), kind: "notice" });
}

async function insertMessage(message: {
  context: string;
  kind: string;
  taskId?: string;
  answeredById?: string;
}): Promise<void> {
  const { context, kind, taskId = null, answeredById = null } = message;
  await client.query(
    `INSERT INTO message (workspace_id, id, context_id, role, sender, parts, kind, task_id, answered_by_id)
     VALUES ($1, $2, $3, 'agent', '{}', '[]', $4::message_kind, $5, $6)`,
    [WORKSPACE, crypto.randomUUID(), context, kind, taskId, answeredById],
  );
}
