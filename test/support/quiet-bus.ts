import type { TestDatabase } from "./database.ts";

/**
 * Takes notifications away from a database, as where nothing hears or sends them. A connection that has prepared
 * a statement would go on with it, so those of the live channel are ended too.
 */
export async function silenceBus({ query }: TestDatabase): Promise<void> {
  await query("ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_away");
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'agent-ops-live'`,
  );
}

/** Gives them back. */
export async function restoreBus({ query }: TestDatabase): Promise<void> {
  await query("ALTER FUNCTION pg_catalog.pg_notify_away(text, text) RENAME TO pg_notify");
}

/** Whether a server has tried to send a hint and could not. */
export function isBusMissed({ logged }: { logged: readonly string[] }): boolean {
  return logged.some((line) => line.includes("a notification could not be sent"));
}
