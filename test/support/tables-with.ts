import type { TestDatabase } from "./database.ts";

/** The tables that contain a text in any row, as characters or bytes. */
export async function tablesWith(database: TestDatabase, text: string): Promise<string[]> {
  const tables = await database.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query(`SELECT 1 FROM "${name}" t WHERE position($1 IN t::text) > 0 LIMIT 1`, [
      text,
    ]);
    if (rows.length > 0) holding.push(name);
  }
  return holding;
}
