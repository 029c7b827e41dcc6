import { createHash } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { send } from "./send.ts";

/** Reservations as written by hand with Fastify and pg: each locks the budgets' rows in a transaction of its own. */
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });
const app = fastify({ logger: { level: "info" } });

await pool.query(`
  CREATE TABLE IF NOT EXISTS peer_budget (workspace_id uuid, name text, limit_amount bigint, reserved bigint,
    PRIMARY KEY (workspace_id, name)) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS peer_reservation (id uuid PRIMARY KEY, workspace_id uuid, amount bigint, expires_at timestamptz);
  INSERT INTO peer_budget SELECT id, budget, 1000000000000, 0 FROM workspace, unnest(ARRAY['first', 'second', 'third']) budget
  ON CONFLICT DO NOTHING`);

app.post<{ Body: { amounts: { tokens: number } } }>("/api/v1/budget_reservations", async (request, reply) => {
  const workspaceId = await findWorkspaceId(request.headers.authorization);
  if (workspaceId === null) return reply.code(401).send();
  const reservation = await reserve(workspaceId, request.body.amounts.tokens);
  return send(reply.code(reservation === null ? 409 : 201), { reservation });
});

async function reserve(workspaceId: string, amount: number): Promise<object | null> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const { rows } = await client.query<{ name: string; room: boolean }>({
      name: "lock",
      text: `SELECT name, reserved + $2 <= limit_amount AS room FROM peer_budget WHERE workspace_id = $1
        ORDER BY name FOR UPDATE`,
      values: [workspaceId, amount],
    });
    if (rows.some(({ room }) => !room)) {
      await client.query("ROLLBACK");
      return null;
    }
    await client.query({
      name: "move",
      text: "UPDATE peer_budget SET reserved = reserved + $2 WHERE workspace_id = $1",
      values: [workspaceId, amount],
    });
    const inserted = await client.query<{ id: string; expires_at: Date }>({
      name: "insert",
      text: `INSERT INTO peer_reservation VALUES (gen_random_uuid(), $1, $2, now() + interval '10 minutes')
        RETURNING id, expires_at`,
      values: [workspaceId, amount],
    });
    await client.query("COMMIT");
    return inserted.rows[0] ?? null;
  } finally {
    client.release();
  }
}

/** Looks up the credential on each request, as a hand-written server does. */
async function findWorkspaceId(authorization: string | undefined): Promise<string | null> {
  const digest = createHash("sha256")
    .update((authorization ?? "").slice("Bearer ".length))
    .digest();
  const text = `SELECT t.workspace_id FROM agent_token t JOIN workspace w ON w.id = t.workspace_id
    WHERE t.digest = $1 AND t.revoked_at IS NULL AND t.expires_at > now() AND w.suspended_at IS NULL`;
  const { rows } = await pool.query<{ workspace_id: string }>({ name: "token", text, values: [digest] });
  return rows[0]?.workspace_id ?? null;
}

process.on("SIGTERM", () => process.exit(0));
process.stdout.write(`${await app.listen({ port: 0, host: "127.0.0.1" })}\n`);
