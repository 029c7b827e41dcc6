import { vi } from "vitest";
import type { TestDatabase } from "./database.ts";
import { PATIENCE } from "./patience.ts";

/**
 * Makes the rows of a table, or of its partitions, visible to all and counts them for plans. Transactions that began
 * earlier keep rows from being known as visible, so it is tried until they are; so would a few dead rows in indexes.
 */
export async function vacuum(database: Pick<TestDatabase, "query">, table: string): Promise<void> {
  await vi.waitFor(async () => {
    await database.query(`VACUUM (ANALYZE, INDEX_CLEANUP ON) ${table}`);
    const hidden = await database.query(
      `SELECT c.relname FROM pg_class c
       WHERE (c.oid = $1::regclass OR c.oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass))
         AND c.relkind = 'r' AND c.relallvisible < c.relpages`,
      [table],
    );
    if (hidden.length > 0) throw new Error(`rows of ${JSON.stringify(hidden)} are not known as visible`);
  }, PATIENCE);
}
