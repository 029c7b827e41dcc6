import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdLock } from "../../support/locked-table.ts";
import {
  type TestPerson,
  askWhoAmI,
  buildCookie,
  createPerson,
  beginTestSession,
} from "../../support/people.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function getStatus(token: string): Promise<number> {
  return (await askWhoAmI(world.server, buildCookie(token))).status;
}

/** Copies the person's only session, which becomes the oldest of a hundred. */
async function addOlderSessions({ id }: TestPerson): Promise<void> {
  const { query } = world.server.database;
  await query("UPDATE users_tokens SET created_at = created_at - interval '1 hour' WHERE user_id = $1", [id]);
  await query(
    `INSERT INTO users_tokens (workspace_id, id, user_id, context, token_digest, auth_epoch, family_id, authenticated_at, created_at, expires_at)
     SELECT workspace_id, made, user_id, context, sha256(made::text::bytea), auth_epoch, made, authenticated_at, later, expires_at
     FROM (SELECT t.*, gen_random_uuid() AS made, created_at + n * interval '1 ms' AS later
       FROM users_tokens t, generate_series(1, 99) n WHERE user_id = $1 AND context = 'session') copies`,
    [id],
  );
}

async function countSessions({ id }: TestPerson): Promise<number | undefined> {
  const [row] = await world.server.database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM users_tokens WHERE user_id = $1 AND context = 'session'",
    [id],
  );
  return row?.count;
}

describe("a person who logs in again and again", () => {
  it("keeps the newest 100 sessions, and the others end", async () => {
    const who = await createPerson(world.server, world.workspaceId, {});
    const other = await createPerson(world.server, world.workspaceId, {});
    const [oldest, others] = [
      await beginTestSession(world.server, who),
      await beginTestSession(world.server, other),
    ];
    await addOlderSessions(who);
    expect(await getStatus(oldest)).toBe(200);
    const newest = await beginTestSession(world.server, who);
    expect([await getStatus(oldest), await getStatus(newest), await getStatus(others)]).toEqual([
      401, 200, 200,
    ]);
    expect(await countSessions(who)).toBe(100);
    const ended = await world.server.database.query(
      "SELECT 1 FROM event WHERE type = 'session.ended' AND data ->> 'reason' = 'too_many' AND data ->> 'user_id' = $1",
      [who.id],
    );
    expect(ended).toHaveLength(1);
  });

  it("keeps the newest 100 sessions of concurrent log-ins", async () => {
    const who = await createPerson(world.server, world.workspaceId, {});
    await beginTestSession(world.server, who);
    await addOlderSessions(who);
    const oldest = await holdLock(
      world.server.database,
      "SELECT 1 FROM users_tokens WHERE user_id = $1 ORDER BY created_at LIMIT 1 FOR UPDATE",
      [who.id],
    );
    const loggedIn = [beginTestSession(world.server, who), beginTestSession(world.server, who)];
    // The first has a session and is about to end the oldest one.
    await oldest.waiters(2);
    await oldest.release();
    await Promise.all(loggedIn);
    expect(await countSessions(who)).toBe(100);
  });
});
