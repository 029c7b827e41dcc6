import type { TestDatabase } from "./database.ts";

/**
 * Disables notifications of a database, as if they were all lost. Connections with prepared statements would still
 * send them, so those of the live channel are closed.
 */
export async function silenceBus({ query }: TestDatabase): Promise<void> {
  await query("ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_away");
  await query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'agent-ops-live'`,
  );
}

/** Enables them again. */
export async function restoreBus({ query }: TestDatabase): Promise<void> {
  await query("ALTER FUNCTION pg_catalog.pg_notify_away(text, text) RENAME TO pg_notify");
}

/** Whether a server has failed to send a notification. */
export function isBusMissed({ logged }: { logged: readonly string[] }): boolean {
  return logged.some((line) => line.includes("a notification could not be sent"));
}
