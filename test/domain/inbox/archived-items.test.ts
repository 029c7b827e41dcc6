import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { archiveInboxItem } from "../../../src/domain/inbox/archive-inbox-item.ts";
import { listArchivedInboxItems } from "../../../src/domain/inbox/list-archived-inbox-items.ts";
import { unarchiveInboxItem } from "../../../src/domain/inbox/unarchive-inbox-item.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { requireUser } from "../../../src/domain/kernel/guard.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { beginTestSession, createPerson } from "../../support/people.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function person(): Promise<Ctx> {
  const someone = await createPerson(world.server, world.workspaceId, { role: "viewer" });
  return openSessionCtx(world.server, await beginTestSession(world.server, someone));
}

async function readChanges(ctx: Ctx): Promise<{ type: string; audit: string; key: string }[]> {
  return world.server.database.query(
    `SELECT e.type, a.action AS audit, e.data ->> 'key' AS key FROM event e
     JOIN audit_event a ON a.workspace_id = e.workspace_id AND a.action = e.type AND a.target_id = e.subject_id::text
       AND a.changes ->> 'key' = e.data ->> 'key'
     WHERE e.subject_type = 'inbox_item' AND e.subject_id = $1 ORDER BY e.seq`,
    [requireUser(ctx).id],
  );
}

describe("archived items of the inbox", () => {
  it("are the person's own, are told once, and come back", async () => {
    const [ctx, other] = [await person(), await person()];
    const [question, server] = [crypto.randomUUID(), `${crypto.randomUUID()} 2 1`];
    for (const key of [question, question, server]) await archiveInboxItem(ctx, { key });
    expect(new Set(await listArchivedInboxItems(ctx))).toEqual(new Set([server, question]));
    expect(await listArchivedInboxItems(other)).toEqual([]);
    await unarchiveInboxItem(other, { key: question });
    await unarchiveInboxItem(ctx, { key: question });
    await unarchiveInboxItem(ctx, { key: question });
    expect(await listArchivedInboxItems(ctx)).toEqual([server]);
    const [archived, back] = ["inbox_item.archived", "inbox_item.unarchived"];
    expect(await readChanges(ctx)).toEqual([
      { type: archived, audit: archived, key: question },
      { type: archived, audit: archived, key: server },
      { type: back, audit: back, key: question },
    ]);
    expect(await readChanges(other)).toEqual([]);
  });

  it("are at most 500, the newest", async () => {
    const ctx = await person();
    await world.server.database.query(
      `INSERT INTO archived_inbox_item (workspace_id, user_id, key, archived_at)
       SELECT $1, $2, gen_random_uuid()::text, now() - n * interval '1 minute' FROM generate_series(1, $3) n`,
      [ctx.workspaceId, requireUser(ctx).id, LIMITS.archivedInboxItems],
    );
    const before = await listArchivedInboxItems(ctx);
    const key = crypto.randomUUID();
    await archiveInboxItem(ctx, { key });
    expect(await listArchivedInboxItems(ctx)).toEqual([key, ...before.slice(0, -1)]);
  });

  it.each(["", "x", crypto.randomUUID().toUpperCase(), `${crypto.randomUUID()} 1`, "a".repeat(100_000)])(
    "have keys of items, not %s",
    async (key) => {
      const ctx = await person();
      const problem = { code: "validation_failed", details: { field: "key" } };
      await expect(archiveInboxItem(ctx, { key })).rejects.toMatchObject(problem);
      await expect(unarchiveInboxItem(ctx, { key })).rejects.toMatchObject(problem);
    },
  );

  it("are for people", async () => {
    const { ctx } = world;
    const refused = { code: "forbidden" };
    await expect(listArchivedInboxItems(ctx)).rejects.toMatchObject(refused);
    await expect(archiveInboxItem(ctx, { key: crypto.randomUUID() })).rejects.toMatchObject(refused);
  });
});
