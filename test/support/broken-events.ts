import type { TestDatabase } from "./database.ts";

/** Does something while no event can be written: whatever belongs to one transaction with an event comes to nothing. */
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

/** What was told of a workspace, in its order: the events' types and the acts in the audit trail. */
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
