import type { TestDatabase } from "./database.ts";

/**
 * Finds which of some texts are in any row of a workspace, and in rows that are of none.
 *
 * @returns texts such as `span: AWS key id`.
 */
export async function findTexts(
  database: TestDatabase,
  workspaceId: string,
  texts: ReadonlyMap<string, string>,
): Promise<string[]> {
  const tables = await database.query<{ name: string; is_owned: boolean }>(
    `SELECT table_name AS name, EXISTS (SELECT 1 FROM information_schema.columns c
       WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name AND column_name = 'workspace_id') AS is_owned
     FROM information_schema.tables t WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  const found = new Set<string>();
  for (const { name, is_owned: isOwned } of tables) {
    const rows = await database.query<{ row: string }>(
      `SELECT t::text AS row FROM "${name}" t${isOwned ? " WHERE workspace_id = $1" : ""}`,
      isOwned ? [workspaceId] : [],
    );
    const all = rows.map(({ row }) => row).join("\n");
    for (const [text, label] of texts) if (all.includes(text)) found.add(`${name}: ${label}`);
  }
  return [...found];
}
