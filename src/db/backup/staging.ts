import type { Client } from "pg";
import { quoteName } from "./backup-format.ts";
import { listEnums, listPartitions, listTables } from "./catalog.ts";

/** The schema in which tables are filled, beside those that they replace. */
export const STAGING = "agent_ops_restore";

/** A schema beside the database's own, which is the connection's current one. */
export type Staging = {
  /** Drops the tables of the database's own schema, and moves the new ones there. Within a transaction. */
  replaceTables: () => Promise<void>;
  /** Drops the new tables, after an error. */
  drop: () => Promise<void>;
};

/** Creates the schema, in place of what an interrupted restore left, and makes it the current one. */
export async function createStaging(client: Client): Promise<Staging> {
  const { rows } = await client.query<{ schema: string }>("SELECT current_schema() AS schema");
  const own = quoteName(rows[0]?.schema ?? "public");
  await client.query(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE; CREATE SCHEMA ${STAGING}`);
  await client.query(`SET search_path = ${STAGING}`);
  return {
    replaceTables: async () => {
      const tables = await listMovable(client);
      const enums = await listEnums(client);
      await client.query(`SET search_path = ${own}`);
      await dropTables(client);
      for (const table of tables) await client.query(`ALTER TABLE ${STAGING}.${table} SET SCHEMA ${own}`);
      for (const name of enums)
        await client.query(`ALTER TYPE ${STAGING}.${quoteName(name)} SET SCHEMA ${own}`);
      await client.query(`DROP SCHEMA ${STAGING}`);
    },
    drop: async () => {
      await client.query("ROLLBACK");
      await client.query(`DROP SCHEMA IF EXISTS ${STAGING} CASCADE`);
    },
  };
}

async function listMovable(client: Client): Promise<string[]> {
  const names = [...(await listTables(client)), ...(await listPartitions(client))].map(({ name }) => name);
  return names.map(quoteName);
}

async function dropTables(client: Client): Promise<void> {
  const tables = (await listTables(client)).map(({ name }) => quoteName(name));
  if (tables.length > 0) await client.query(`DROP TABLE ${tables.join(", ")}`);
  const enums = (await listEnums(client)).map(quoteName);
  if (enums.length > 0) await client.query(`DROP TYPE ${enums.join(", ")}`);
}
