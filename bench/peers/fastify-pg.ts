import { createHash } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { send } from "./send.ts";

/** The lists as written by hand with Fastify and pg: prepared statements only. */
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
const app = fastify({ logger: { level: "info" } });

app.get<{ Querystring: { limit?: string; offset?: string } }>("/api/v1/tasks", async (request, reply) => {
  const workspaceId = await findWorkspaceId(request.headers.authorization);
  if (workspaceId === null) return reply.code(401).send();
  const { limit, offset } = parsePage(request.query);
  const [rows, count] = await Promise.all([
    pool.query({ name: "tasks", text: TASKS, values: [workspaceId, limit, offset] }),
    pool.query<{ total: number }>({ name: "tasks_total", text: TASKS_TOTAL, values: [workspaceId] }),
  ]);
  const total = count.rows[0]?.total ?? 0;
  return send(reply, {
    tasks: rows.rows,
    count: rows.rows.length,
    pagination: { limit, offset, total, has_more: offset + limit < total, next_offset: offset + limit },
  });
});

app.get<{ Querystring: { limit?: string; offset?: string } }>("/api/v1/messages", async (request, reply) => {
  const workspaceId = await findWorkspaceId(request.headers.authorization);
  if (workspaceId === null) return reply.code(401).send();
  const { limit, offset } = parsePage(request.query);
  const { rows } = await pool.query({
    name: "messages",
    text: MESSAGES,
    values: [workspaceId, limit, offset],
  });
  return send(reply, { messages: rows, count: rows.length });
});

const TASKS = `SELECT id, context_id, title, queue, assignee_agent_id, input, status, status_message, priority, progress,
  output, artifacts, error, claimed_by_agent_id, attempt, max_attempts, run_after, deadline_at, cancel_requested_at,
  parent_task_id, mission_id, trace_id, labels, metadata, created_by, generation, created_at, updated_at, finished_at
  FROM task WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`;
const TASKS_TOTAL = "SELECT count(*)::int AS total FROM task WHERE workspace_id = $1";
const MESSAGES = `SELECT id, context_id, task_id, mission_id, role, sender, recipient_agent_id, kind, parts, reply_to_id,
  expects_reply, answered_by_id, reference_task_ids, metadata, trace_id, created_at
  FROM message WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3`;

/** Looks up the credential on each request, as a hand-written server does. */
async function findWorkspaceId(authorization: string | undefined): Promise<string | null> {
  const digest = createHash("sha256")
    .update((authorization ?? "").slice("Bearer ".length))
    .digest();
  const text = `SELECT k.workspace_id FROM api_key k JOIN workspace w ON w.id = k.workspace_id
    WHERE k.digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      AND w.suspended_at IS NULL AND 'tasks:read' = ANY(k.scopes)`;
  const { rows } = await pool.query<{ workspace_id: string }>({ name: "key", text, values: [digest] });
  return rows[0]?.workspace_id ?? null;
}

function parsePage({ limit = "50", offset = "0" }: { limit?: string; offset?: string }) {
  return { limit: Number(limit), offset: Number(offset) };
}

process.on("SIGTERM", () => process.exit(0));
process.stdout.write(`${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
