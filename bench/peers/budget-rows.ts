import pg from "pg";

/** Reservations as written by hand with pg: each locks the budgets' rows in a transaction of its own. */
export type RowReservations = {
  /** @returns whether there was room. */
  reserve: (amount: number) => Promise<boolean>;
  close: () => Promise<void>;
};

/** Opens three budgets of a workspace, with as many connections as a node of ours has. */
export async function openRowReservations(
  connectionString: string,
  workspaceId: string,
): Promise<RowReservations> {
  const pool = new pg.Pool({ connectionString, max: 20 });
  await pool.query(TABLES);
  await pool.query(
    `INSERT INTO peer_budget SELECT $1, budget, 1000000000000, 0 FROM unnest(ARRAY['first', 'second', 'third']) budget
     ON CONFLICT DO NOTHING`,
    [workspaceId],
  );
  return {
    reserve: async (amount) => {
      const client = await pool.connect();
      try {
        return await reserveRows(client, workspaceId, amount);
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
}

const TABLES = `
CREATE TABLE IF NOT EXISTS peer_budget (workspace_id uuid, name text, limit_amount bigint, reserved bigint,
  PRIMARY KEY (workspace_id, name)) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS peer_reservation (id uuid PRIMARY KEY, workspace_id uuid, amount bigint, expires_at timestamptz)`;

async function reserveRows(client: pg.PoolClient, workspaceId: string, amount: number): Promise<boolean> {
  await client.query("BEGIN");
  const { rows } = await client.query<{ room: boolean }>({
    name: "lock",
    text: `SELECT reserved + $2 <= limit_amount AS room FROM peer_budget WHERE workspace_id = $1
      ORDER BY name FOR UPDATE`,
    values: [workspaceId, amount],
  });
  if (rows.some(({ room }) => !room)) {
    await client.query("ROLLBACK");
    return false;
  }
  await client.query({
    name: "move",
    text: "UPDATE peer_budget SET reserved = reserved + $2 WHERE workspace_id = $1",
    values: [workspaceId, amount],
  });
  await client.query({
    name: "insert",
    text: `INSERT INTO peer_reservation VALUES (gen_random_uuid(), $1, $2, now() + interval '10 minutes')`,
    values: [workspaceId, amount],
  });
  await client.query("COMMIT");
  return true;
}
