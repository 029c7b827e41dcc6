import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Idp, type ScimWorld, createScimWorld } from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

type Page = { names: string[]; next: string | undefined; previous: string | undefined };

async function read(idp: Idp, path: string): Promise<Page> {
  const { status, body } = await idp.get(path);
  expect(status).toBe(200);
  expect(body.itemsPerPage).toBe(body.Resources.length);
  const names = body.Resources.map((one: { displayName: string }) => one.displayName);
  return { names, next: body.nextCursor, previous: body.previousCursor };
}

/** Reads a list by index, as RFC 7644, 3.4.2.4 says: a page may have fewer resources than `count`. */
async function readByIndex(idp: Idp, path: string, total: number): Promise<Page[]> {
  const pages: Page[] = [];
  for (let startIndex = 1; startIndex <= total;) {
    const page = await read(idp, `${path}&startIndex=${startIndex}`);
    expect(page.names.length).toBeGreaterThan(0);
    pages.push(page);
    startIndex += page.names.length;
  }
  return pages;
}

/** Reads a list by its cursors to the end, and back again. */
async function readByCursor(idp: Idp, path: string): Promise<{ there: Page[]; back: Page[] }> {
  const there = [await read(idp, `${path}&cursor`)];
  for (let next = there[0]?.next; next !== undefined; next = there.at(-1)?.next) {
    there.push(await read(idp, `${path}&cursor=${next}`));
  }
  const back: Page[] = [];
  for (let { previous } = there.at(-1) ?? {}; previous !== undefined; previous = back[0]?.previous) {
    back.unshift(await read(idp, `${path}&cursor=${previous}`));
  }
  return { there, back };
}

const getNames = (pages: Page[]) => pages.flatMap(({ names }) => names);

describe("a page of large users", () => {
  it("ends at 4 MiB, by index and by cursor in both directions", async () => {
    const { idp, workspaceId } = await world.another();
    await world.server.database.query(
      `INSERT INTO "user" (workspace_id, id, user_name, name, role, profile)
       SELECT $1::uuid, gen_random_uuid(), 'u' || n, 'u' || n, 'viewer', jsonb_build_object('title', repeat('x', 120000))
       FROM generate_series(1, 90) n`,
      [workspaceId],
    );
    const pages = await readByIndex(idp, "/Users?count=90", 90);
    expect(pages.map(({ names }) => names.length)).toEqual([35, 35, 20]);
    const names = getNames(pages);
    expect(new Set(names).size).toBe(90);
    const { there, back } = await readByCursor(idp, "/Users?count=90");
    expect(getNames(there)).toEqual(names);
    expect(getNames(back)).toEqual(names.slice(0, 70));
    const sorted = await readByCursor(idp, "/Users?count=90&sortBy=userName");
    expect(getNames(sorted.there)).toEqual(names.toSorted());
    expect((await readByIndex(idp, "/Users?count=20", 90)).map((page) => page.names.length)).toEqual([
      20, 20, 20, 20, 10,
    ]);
  });
});

describe("a page of large groups", () => {
  it("ends at about 4 MiB of members, unless they are left out", async () => {
    const { idp, workspaceId } = await world.another();
    await world.server.database.query(
      `WITH people AS (INSERT INTO "user" (workspace_id, id, user_name, role)
         SELECT $1::uuid, gen_random_uuid(), 'u' || n, 'viewer' FROM generate_series(1, 2000) n RETURNING id),
       groups AS (INSERT INTO "group" (workspace_id, id, display_name)
         SELECT $1::uuid, gen_random_uuid(), 'g' || n FROM generate_series(1, 40) n RETURNING id)
       INSERT INTO group_member (workspace_id, group_id, user_id) SELECT $1::uuid, groups.id, people.id FROM groups, people`,
      [workspaceId],
    );
    const pages = await readByIndex(idp, "/Groups?count=40", 40);
    expect(pages.map(({ names }) => names.length)).toEqual([17, 17, 6]);
    expect(new Set(getNames(pages)).size).toBe(40);
    expect((await read(idp, "/Groups?count=40&excludedAttributes=members")).names).toHaveLength(40);
  });
});
