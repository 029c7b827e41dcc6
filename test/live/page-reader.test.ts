import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveDatabase, openLiveDatabase } from "../../src/db/notifications.ts";
import { createPageReader } from "../../src/live/page-reader.ts";
import { insertEvents } from "../support/event-log.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;
let database: LiveDatabase;

beforeAll(async () => {
  world = await createWorld();
  database = openLiveDatabase(world.server.database.url, world.server.services.log);
});

afterAll(async () => {
  await database.close();
  await world.server.close();
});

describe("the page reader", () => {
  it("lets workspaces take turns: one with many requests doesn't block others", async () => {
    const readPage = createPageReader(database);
    const { workspaceId: quiet } = await world.another();
    await insertEvents(world.server.database, world.workspaceId, { count: 50 });
    const read: string[] = [];
    async function ask(workspaceId: string, after: number): Promise<void> {
      await readPage(workspaceId, { after, limit: 200 });
      read.push(workspaceId);
    }
    const asked = Array.from({ length: 50 }, (_, after) => ask(world.workspaceId, after));
    await Promise.all([...asked, ask(quiet, 0)]);
    expect(read).toHaveLength(51);
    // Several are read at once, and end in any order.
    expect(read.indexOf(quiet)).toBeLessThan(25);
  });

  it("reads a page once for concurrent requests", async () => {
    const readPage = createPageReader(database);
    const [first, second] = [
      readPage(world.workspaceId, { after: 0, limit: 200 }),
      readPage(world.workspaceId, { after: 0, limit: 200 }),
    ];
    expect(await first).toBe(await second);
    expect(await readPage(world.workspaceId, { after: 0, limit: 200 })).not.toBe(await first);
  });
});
