import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COUNT, type ManyWorld, createManyWorld } from "../../support/scim-many.ts";
import { URN, expectScimError, userBody } from "../../support/scim-world.ts";

let world: ManyWorld;
let made: string[];

beforeAll(async () => {
  world = await createManyWorld();
  ({ made } = world);
});

afterAll(() => world.close());

async function list(query: string) {
  const { status, body, headers } = await world.idp.get(`/Users${query}`);
  expect({ status, type: headers.get("content-type") }).toEqual({
    status: 200,
    type: "application/scim+json",
  });
  expect(body.schemas).toEqual([URN.list]);
  expect(body.itemsPerPage).toBe(body.Resources.length);
  const names: string[] = body.Resources.map(({ userName }: { userName: string }) => userName);
  return { ...body, names };
}

describe("GET /scim/v2/Users", () => {
  it("returns the documented envelope with the first 100", async () => {
    const body = await list("");
    expect(body).toMatchObject({ totalResults: COUNT, startIndex: 1, itemsPerPage: COUNT });
    expect(body.names).toEqual(made);
    expect(Object.keys(body.Resources[0])).toEqual(
      expect.arrayContaining(["schemas", "id", "userName", "active"]),
    );
  });

  it.each<[string, { startIndex: number; from: number; to: number }]>([
    ["?startIndex=1&count=2", { startIndex: 1, from: 0, to: 2 }],
    ["?startIndex=3&count=2", { startIndex: 3, from: 2, to: 4 }],
    ["?startIndex=24&count=10", { startIndex: 24, from: 23, to: 25 }],
    ["?startIndex=26&count=10", { startIndex: 26, from: 25, to: 25 }],
    ["?startIndex=1000000", { startIndex: 1_000_000, from: 25, to: 25 }],
    ["?startIndex=0&count=1", { startIndex: 1, from: 0, to: 1 }],
    ["?startIndex=-5&count=1", { startIndex: 1, from: 0, to: 1 }],
    ["?count=0", { startIndex: 1, from: 0, to: 0 }],
    ["?count=-3", { startIndex: 1, from: 0, to: 0 }],
    ["?count=201", { startIndex: 1, from: 0, to: 25 }],
    ["?count=99999999999999999999", { startIndex: 1, from: 0, to: 25 }],
    ["?startIndex=&count=", { startIndex: 1, from: 0, to: 25 }],
    ["?limit=1&offset=3&page=2", { startIndex: 1, from: 0, to: 25 }],
  ])("handles %s exactly as specified", async (query, { startIndex, from, to }) => {
    const body = await list(query);
    expect(body).toMatchObject({ totalResults: COUNT, startIndex, itemsPerPage: to - from });
    expect(body.names).toEqual(made.slice(from, to));
  });

  it.each([
    "startIndex=x",
    "count=x",
    "count=1.5",
    "startIndex=1e3",
    "sortOrder=up",
    "sortBy=nosuch",
    "sortBy=name",
    "sortBy=password",
  ])("rejects ?%s", async (query) => {
    const { status, body } = await world.idp.get(`/Users?${query}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { schemas: [URN.error], scimType: "invalidValue" },
    });
  });

  it("returns every resource once in the same order, page by page", async () => {
    const seen: string[] = [];
    for (let startIndex = 1; startIndex <= COUNT; startIndex += 4) {
      seen.push(...(await list(`?startIndex=${startIndex}&count=4`)).names);
    }
    expect(seen).toEqual(made);
  });

  it("returns at most 200 at once", async () => {
    const other = await world.another();
    await world.server.database.query(
      `INSERT INTO "user" (workspace_id, id, user_name, role)
       SELECT $1::uuid, gen_random_uuid(), 'many' || n, 'viewer' FROM generate_series(1, 300) n`,
      [other.workspaceId],
    );
    await world.server.database.query(
      "INSERT INTO collection_total (workspace_id, collection, facet, total) VALUES ($1, 'users', 'all', 300)",
      [other.workspaceId],
    );
    const { body } = await other.idp.get("/Users?count=1000");
    expect(body).toMatchObject({ totalResults: 300, itemsPerPage: 200 });
    expect((await other.idp.get("/Users")).body.itemsPerPage).toBe(100);
  });
});

describe("sortBy", () => {
  const value: Record<string, (n: number) => string | null> = {
    userName: (n) => made[n] ?? null,
    title: (n) => (n % 5 === 0 ? null : `t${(COUNT - n) % 4}`),
    displayName: (n) => (n % 2 === 0 ? `b${n}` : `a${n}`),
    active: (n) => (n % 3 === 0 ? "0" : "1"),
    emails: (n) => `${COUNT - n}@example.com`,
    "emails.value": (n) => `${COUNT - n}@example.com`,
    "name.familyName": (n) => `f${n % 10}`,
    "meta.created": (n) => String(n).padStart(3, "0"),
    [`${URN.user}:userName`]: (n) => made[n] ?? null,
  };

  /** Missing values are last, or first in descending order. Equal ones are in order of creation. */
  function sorted(by: string, descending: boolean): string[] {
    const getKey = value[by] ?? (() => null);
    const order = Array.from({ length: COUNT }, (_, n) => n).toSorted((a, b) => {
      const [left, right] = [getKey(a), getKey(b)];
      if (left === right) return a - b;
      const isAfter = left === null || (right !== null && left > right);
      return isAfter === descending ? -1 : 1;
    });
    return order.map((n) => made[n] ?? "");
  }

  for (const by of Object.keys(value)) {
    it.each(["ascending", "descending"])(`${by} sorts %s, also across pages of both kinds`, async (order) => {
      const expected = sorted(by, order === "descending");
      const query = `sortBy=${encodeURIComponent(by)}&sortOrder=${order}`;
      expect((await list(`?${query}`)).names).toEqual(expected);
      const byIndex = [
        ...(await list(`?${query}&count=10`)).names,
        ...(await list(`?${query}&count=20&startIndex=11`)).names,
      ];
      expect(byIndex).toEqual(expected);
      expect(await byCursor(`${query}&count=4`)).toEqual(expected);
    });
  }

  it("sorts ascending by default, and accepts any case", async () => {
    expect((await list("?sortBy=USERNAME")).names).toEqual(made);
    expect((await list("?sortBy=userName&sortOrder=Descending")).names).toEqual(made.toReversed());
    expect((await list("?sortOrder=descending")).names).toEqual(made);
  });
});

/** Follows cursors to the end and back. @returns the users' names in order. */
async function byCursor(query: string): Promise<string[]> {
  const pages = await walk(query, "", "nextCursor");
  const last = pages.at(-1);
  if (last === undefined) throw new Error("there is no page");
  expect(pages[0]).not.toHaveProperty("previousCursor");
  if (last.previousCursor !== undefined) {
    const back = await walk(query, last.previousCursor, "previousCursor");
    expect(back.toReversed()).toEqual(pages.slice(0, -1));
  }
  return pages.flatMap(({ names }) => names);
}

async function walk(query: string, from: string, way: "nextCursor" | "previousCursor") {
  const pages: Awaited<ReturnType<typeof list>>[] = [];
  for (let cursor = from; pages.length <= COUNT;) {
    const page = await list(`?${query}&cursor=${cursor}`);
    expect(page.totalResults).toBeLessThanOrEqual(COUNT);
    expect(page).not.toHaveProperty("startIndex");
    pages.push(page);
    cursor = page[way];
    if (cursor === undefined) return pages;
    expect(cursor).toMatch(/^[A-Za-z0-9._~-]+$/);
  }
  throw new Error("the pages have no end");
}

describe("a cursor", () => {
  it("leads through the whole list once", async () => {
    expect(await byCursor("count=4")).toEqual(made);
    expect(await byCursor("count=5")).toEqual(made);
    expect(await byCursor("count=100")).toEqual(made);
  });

  it("leads through filtered lists", async () => {
    const filter = encodeURIComponent("active eq false");
    const expected = made.filter((_, n) => n % 3 === 0);
    expect(await byCursor(`count=2&filter=${filter}`)).toEqual(expected);
  });

  it("skips and repeats nobody while users are added and deleted", async () => {
    const { idp } = await world.another();
    const first: string[] = [];
    for (let n = 0; n < 6; n++)
      first.push((await idp.post("/Users", userBody({ userName: `c${n}` }))).body.id);
    const page = await idp.get("/Users?count=4&cursor=");
    await idp.delete(`/Users/${first[0]}`);
    await idp.delete(`/Users/${first[3]}`);
    await idp.post("/Users", userBody({ userName: "late" }));
    const next = await idp.get(`/Users?count=4&cursor=${page.body.nextCursor}`);
    const names = next.body.Resources.map(({ userName }: { userName: string }) => userName);
    expect(names).toEqual(["c4", "c5", "late"]);
  });

  it("leads back to what is left of previous pages", async () => {
    const { idp } = await world.another();
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push((await idp.post("/Users", userBody({ userName: `b${n}` }))).body.id);
    const page = async (cursor: string) => {
      const { body } = await idp.get(`/Users?count=2&cursor=${cursor}`);
      return { ...body, names: body.Resources.map(({ userName }: { userName: string }) => userName) };
    };
    const second = await page((await page("")).nextCursor);
    const third = await page(second.nextCursor);
    await idp.delete(`/Users/${ids[3]}`);
    expect((await page(third.previousCursor)).names).toEqual(["b1", "b2"]);
    for (const n of [0, 1, 2]) await idp.delete(`/Users/${ids[n]}`);
    const begin = await page(third.previousCursor);
    expect(begin.names).toEqual(["b4", "b5"]);
    expect(begin).not.toHaveProperty("previousCursor");
  });

  it("is valid only for its own query", async () => {
    const { nextCursor } = await list("?count=2&cursor=");
    const forged = Buffer.from(JSON.stringify(["x", 1, crypto.randomUUID(), false])).toString("base64url");
    for (const query of [
      "cursor=nonsense",
      `cursor=${nextCursor}x`,
      `cursor=${nextCursor}&sortBy=userName`,
      `cursor=${nextCursor}&filter=${encodeURIComponent("active eq true")}`,
      `cursor=${forged}.${String(nextCursor).split(".")[1]}x`,
    ]) {
      const { status, body } = await world.idp.get(`/Users?${query}`);
      expect({ status, scimType: body.scimType }, query).toEqual({ status: 400, scimType: "invalidCursor" });
    }
    const { body } = await world.idp.get("/Users?count=2&cursor=&sortBy=meta.created");
    const [, mark] = body.nextCursor.split(".");
    const { status } = await world.idp.get(`/Users?sortBy=meta.created&cursor=${forged}.${mark}`);
    expect(status).toBe(400);
    expect((await world.idp.get(`/Groups?cursor=${nextCursor}`)).status).toBe(400);
  });

  it("keeps the count of the first page", async () => {
    const { nextCursor } = await list("?count=2&cursor=");
    const second = await list(`?cursor=${nextCursor}`);
    expect(second.names).toEqual(made.slice(2, 4));
    expect(await list(`?count=2&cursor=${nextCursor}`)).toEqual(second);
    for (const count of ["3", "0", "200", "x"]) {
      expectScimError(await world.idp.get(`/Users?cursor=${nextCursor}&count=${count}`), 400, "invalidCount");
    }
    expectScimError(await world.idp.get("/Users?cursor=&count=x"), 400, "invalidCount");
    const [position = "", mark] = String(nextCursor).split(".");
    const place: unknown[] = JSON.parse(Buffer.from(position, "base64url").toString());
    const greedy = Buffer.from(JSON.stringify([...place.slice(0, -1), 100_000])).toString("base64url");
    expectScimError(await world.idp.get(`/Users?cursor=${greedy}.${mark}`), 400, "invalidCursor");
  });

  it("returns only the total for count 0", async () => {
    for (const count of ["0", "-1"]) {
      const body = await list(`?cursor=&count=${count}`);
      expect(body).toMatchObject({ totalResults: COUNT, itemsPerPage: 0, Resources: [] });
      expect(body).not.toHaveProperty("nextCursor");
    }
  });
});
