/** Writes deploy/citus.sql from a migrated database: `DATABASE_URL=… npx tsx scripts/print-citus.ts`. */
import { writeFileSync } from "node:fs";
import pg from "pg";
import { buildCitusSql } from "./citus/build-citus-sql.ts";
import { readCitusSchema } from "./citus/read-schema.ts";

const client = new pg.Client({ connectionString: process.env["DATABASE_URL"] });
await client.connect();
const schema = await readCitusSchema(
  async (text) => (await client.query<Record<string, unknown>>(text)).rows,
);
writeFileSync(new URL("../deploy/citus.sql", import.meta.url), buildCitusSql(schema));
await client.end();
