import type { TestDatabase } from "./database.ts";

/** Takes notifications away from a database, as where nothing hears or sends them. */
export async function silenceBus({ query }: TestDatabase): Promise<void> {
  await query("ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_away");
}

/** Gives them back. */
export async function restoreBus({ query }: TestDatabase): Promise<void> {
  await query("ALTER FUNCTION pg_catalog.pg_notify_away(text, text) RENAME TO pg_notify");
}
