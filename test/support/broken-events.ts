import type { TestDatabase } from "./database.ts";

/** Runs work while no event can be written, so that every transaction with an event fails. */
export async function runWhileEventsBreak<Result>(
  database: TestDatabase,
  work: () => Promise<Result>,
): Promise<Result> {
  await database.query(`
    CREATE OR REPLACE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'no event can be written'; END $$`);
  await database.query(
    "CREATE TRIGGER refuse_event BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION refuse_event()",
  );
  try {
    return await work();
  } finally {
    await database.query("DROP TRIGGER refuse_event ON event");
  }
}

/** A workspace's event types and audit actions, in order. */
export async function readLogged(
  database: TestDatabase,
  workspaceId: string,
): Promise<{ events: string[]; acts: string[] }> {
  const events = await database.query<{ type: string }>(
    "SELECT type FROM event WHERE workspace_id = $1 ORDER BY seq",
    [workspaceId],
  );
  const acts = await database.query<{ action: string }>(
    "SELECT action FROM audit_event WHERE workspace_id = $1 ORDER BY seq",
    [workspaceId],
  );
  return { events: events.map(({ type }) => type), acts: acts.map(({ action }) => action) };
}
