import { createHash } from "node:crypto";
import express from "express";
import pg from "pg";
import SCIMMY from "scimmy";
import SCIMMYRouters from "scimmy-routers";

/** Users served by SCIMMY from our table. PostgreSQL handles `userName eq`, SCIMMY everything else. */
const pool = new pg.Pool({ connectionString: process.env["DATABASE_URL"], max: 20 });

type Row = { id: string; user_name: string; name: string; active: boolean; email: string; profile: object };

const COLUMNS = `SELECT id, user_name, name, suspended_at IS NULL AS active, email, profile
  FROM "user" WHERE workspace_id = $1 AND deleted_at IS NULL`;

SCIMMY.Resources.declare(SCIMMY.Resources.User).egress(async (resource: Asked, workspaceId: string) => {
  const { rows } = await pool.query<Row>(createStatement(resource, workspaceId));
  return rows.map(({ id, user_name: userName, name: displayName, active, email, profile }) => ({
    ...profile,
    id,
    userName,
    displayName,
    active,
    emails: [{ value: email, type: "work", primary: true }],
  }));
});

/** What SCIMMY passes to an egress handler. */
type Asked = { id?: string; filter?: { userName?: [string, unknown] }[] };

function createStatement({ id, filter }: Asked, workspaceId: string): pg.QueryConfig {
  if (id !== undefined) return { name: "one", text: `${COLUMNS} AND id = $2`, values: [workspaceId, id] };
  const [comparison, value] = filter?.[0]?.userName ?? [];
  if (comparison !== "eq")
    return { name: "all", text: `${COLUMNS} ORDER BY created_at, id`, values: [workspaceId] };
  return {
    name: "eq",
    text: `${COLUMNS} AND lower(COALESCE(user_name, email)) = lower($2)`,
    values: [workspaceId, value],
  };
}

const FIND = "SELECT workspace_id FROM scim_token WHERE digest = $1 AND revoked_at IS NULL";

async function requireWorkspaceId(authorization: string | undefined): Promise<string> {
  const digest = createHash("sha256")
    .update((authorization ?? "").slice("Bearer ".length))
    .digest();
  const { rows } = await pool.query<{ workspace_id: string }>({
    name: "token",
    text: FIND,
    values: [digest],
  });
  if (rows[0] === undefined) throw new Error("not authorized");
  return rows[0].workspace_id;
}

const app = express();
app.use(
  "/scim/v2",
  new SCIMMYRouters({
    type: "bearer",
    handler: async (request: express.Request) => requireWorkspaceId(request.header("authorization")),
    context: async (request: express.Request) => requireWorkspaceId(request.header("authorization")),
  }),
);
process.on("SIGTERM", () => process.exit(0));
const server = app.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null)
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
