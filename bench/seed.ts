import type { OpenServices } from "../src/services.ts";
import { createWorkspace } from "../src/auth/workspaces/create-workspace.ts";

/** A workspace with this many tasks and messages. */
export type Seeded = { rows: number; apiKey: string; workspaceId: string };

/** Creates a workspace, fills it with plain SQL, and sets its totals to match. */
export async function seedWorkspace(services: OpenServices, rows: number): Promise<Seeded> {
  const { workspaceId, apiKey } = await createWorkspace(services, { name: `${rows} rows` });
  const { prisma } = services.database;
  for (let from = 1; from <= rows; from += BATCH) {
    const to = Math.min(from + BATCH - 1, rows);
    await prisma.$executeRawUnsafe(TASKS, workspaceId, from, to);
    await prisma.$executeRawUnsafe(MESSAGES, workspaceId, from, to);
  }
  await prisma.$executeRawUnsafe(
    `INSERT INTO collection_total (workspace_id, collection, facet, total, version)
     SELECT $1::uuid, c.collection, c.facet, $2, 1
     FROM (VALUES ('tasks', 'all'), ('tasks', 'submitted'), ('messages', 'all')) AS c(collection, facet)`,
    workspaceId,
    rows,
  );
  return { rows, apiKey, workspaceId };
}

/** Rows per statement: few enough for the server's time limit. */
const BATCH = 100_000;

const BY = `'{"id": "0199f0c2-7d5a-7cc1-9a51-0d6b2f1e8a44", "name": "Billing bot", "type": "agent"}'`;

const TASKS = `
INSERT INTO task (workspace_id, id, context_id, title, queue, input, labels, created_by, created_at, updated_at)
SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'Refund order ' || n, 'billing',
  '[{"text": "The customer sent it back unopened."}]', '{"team": "billing"}', ${BY},
  now() - n * interval '1 second', now() - n * interval '1 second'
FROM generate_series($2::int, $3::int) n`;

const MESSAGES = `
INSERT INTO message (workspace_id, id, context_id, role, sender, parts, created_at)
SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'agent', ${BY},
  '[{"text": "Which account should the refund go to?"}]', now() - n * interval '1 second'
FROM generate_series($2::int, $3::int) n`;
