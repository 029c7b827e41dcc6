import { createHash } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { send } from "./send.ts";

/** Robots and missions as written by hand with Fastify and pg: one statement per request. */
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
const app = fastify({ logger: { level: "info" } });

const LISTS = {
  robots: `SELECT id, manufacturer, model, serial_number, fleet, operating_mode, status, battery_percent, charging,
    position, velocity, driving, paused, emergency_stop, field_violation, errors, loads, accepts_missions,
    current_mission_id, state_seq::float8 AS state_seq, state_at, generation, created_at, updated_at
    FROM robot WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
  missions: `SELECT id, title, kind, robot_id, selector, min_battery_percent AS min_battery, priority, status, progress,
    estimated_duration_seconds AS estimated_duration_s, deadline_at, cancel_requested_at, error, task_id, context_id,
    trace_id, created_by, generation, created_at, updated_at, started_at, finished_at
    FROM mission WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC`,
};

for (const [list, text] of Object.entries(LISTS)) {
  app.get(`/api/v1/operator/${list}`, async (request, reply) => {
    const workspaceId = await findWorkspaceId(request.headers.authorization, `${list}:read`);
    if (workspaceId === null) return reply.code(401).send();
    const { rows } = await pool.query({ name: list, text, values: [workspaceId] });
    return send(reply, { [list]: rows });
  });
}

/** Looks up the credential on each request, as a hand-written server does. */
async function findWorkspaceId(authorization: string | undefined, scope: string): Promise<string | null> {
  const digest = createHash("sha256")
    .update((authorization ?? "").slice("Bearer ".length))
    .digest();
  const text = `SELECT k.workspace_id FROM api_key k JOIN workspace w ON w.id = k.workspace_id
    WHERE k.digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      AND w.suspended_at IS NULL AND $2 = ANY(k.scopes)`;
  const { rows } = await pool.query<{ workspace_id: string }>({ name: "key", text, values: [digest, scope] });
  return rows[0]?.workspace_id ?? null;
}

process.on("SIGTERM", () => process.exit(0));
process.stdout.write(`${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
