import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScimWorld, URN, createScimWorld, groupBody, userBody } from "../../support/scim-world.ts";

let world: ScimWorld;
const COUNT = 25;
/** The users' names in the order in which they were made. */
const made: string[] = [];

beforeAll(async () => {
  world = await createScimWorld();
  for (let n = 0; n < COUNT; n++) {
    const userName = `user${String(n).padStart(2, "0")}`;
    const fields = {
      userName,
      // Some have no title, some have the same.
      ...(n % 5 !== 0 && { title: `T${(COUNT - n) % 4}` }),
      displayName: n % 2 === 0 ? `b${n}` : `A${n}`,
      active: n % 3 !== 0,
      emails: [{ value: `x@${n}.example` }, { value: `${COUNT - n}@example.com`, primary: true }],
      name: { familyName: `F${n % 10}` },
    };
    expect((await world.idp.post("/Users", userBody(fields))).status).toBe(201);
    made.push(userName);
  }
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
  it("answers the service document's envelope, 100 from the first on", async () => {
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
  ])("counts %s by the letter", async (query, { startIndex, from, to }) => {
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
  ])("refuses ?%s", async (query) => {
    const { status, body } = await world.idp.get(`/Users?${query}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { schemas: [URN.error], scimType: "invalidValue" },
    });
  });

  it("gives every resource once, in the same order, page by page", async () => {
    const seen: string[] = [];
    for (let startIndex = 1; startIndex <= COUNT; startIndex += 4) {
      seen.push(...(await list(`?startIndex=${startIndex}&count=4`)).names);
    }
    expect(seen).toEqual(made);
  });

  it("gives no more than 200 at once", async () => {
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

  /** What has no value is last, or first in descending order; what is equal stays in the order of its making. */
  function sorted(by: string, descending: boolean): string[] {
    const keyOf = value[by] ?? (() => null);
    const order = Array.from({ length: COUNT }, (_, n) => n).toSorted((a, b) => {
      const [left, right] = [keyOf(a), keyOf(b)];
      if (left === right) return a - b;
      const isAfter = left === null || (right !== null && left > right);
      return isAfter === descending ? -1 : 1;
    });
    return order.map((n) => made[n] ?? "");
  }

  for (const by of Object.keys(value)) {
    it.each(["ascending", "descending"])(`${by} sorts %s, also over pages of both kinds`, async (order) => {
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

  it("sorts ascending where nothing is said, and takes any case", async () => {
    expect((await list("?sortBy=USERNAME")).names).toEqual(made);
    expect((await list("?sortBy=userName&sortOrder=Descending")).names).toEqual(made.toReversed());
    expect((await list("?sortOrder=descending")).names).toEqual(made);
  });
});

async function byCursor(query: string): Promise<string[]> {
  const seen: string[] = [];
  let cursor = "";
  for (let pages = 0; pages < COUNT + 1; pages++) {
    const body = await list(`?${query}&cursor=${cursor}`);
    expect(body.totalResults).toBeLessThanOrEqual(COUNT);
    expect(body).not.toHaveProperty("startIndex");
    seen.push(...body.names);
    if (body.nextCursor === undefined) return seen;
    expect(body.nextCursor).toMatch(/^[A-Za-z0-9._~-]+$/);
    cursor = body.nextCursor;
  }
  throw new Error("the pages have no end");
}

describe("a cursor", () => {
  it("leads through the whole list once", async () => {
    expect(await byCursor("count=4")).toEqual(made);
    expect(await byCursor("count=5")).toEqual(made);
    expect(await byCursor("count=100")).toEqual(made);
  });

  it("leads through what a filter lets through", async () => {
    const filter = encodeURIComponent("active eq false");
    const expected = made.filter((_, n) => n % 3 === 0);
    expect(await byCursor(`count=2&filter=${filter}`)).toEqual(expected);
  });

  it("misses nobody and repeats nobody while others are added and taken away", async () => {
    const { idp } = await world.another();
    const first: string[] = [];
    for (let n = 0; n < 6; n++)
      first.push((await idp.post("/Users", userBody({ userName: `c${n}` }))).body.id);
    const page = await idp.get("/Users?count=3&cursor=");
    await idp.delete(`/Users/${first[0]}`);
    await idp.delete(`/Users/${first[2]}`);
    await idp.post("/Users", userBody({ userName: "late" }));
    const next = await idp.get(`/Users?count=10&cursor=${page.body.nextCursor}`);
    const names = next.body.Resources.map(({ userName }: { userName: string }) => userName);
    expect(names).toEqual(["c3", "c4", "c5", "late"]);
  });

  it("holds for its own query alone, and is refused where it is none", async () => {
    const { nextCursor } = await list("?count=2&cursor=");
    const forged = Buffer.from(JSON.stringify(["x", 1, crypto.randomUUID()])).toString("base64url");
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
    const count = await world.idp.get("/Users?cursor=&count=x");
    expect({ status: count.status, scimType: count.body.scimType }).toEqual({
      status: 400,
      scimType: "invalidCount",
    });
  });
});

describe("/.search", () => {
  it("finds users and groups together, each by its own attributes", async () => {
    const group = await world.idp.post("/Groups", groupBody({ displayName: "A search" }));
    const search = (body: object) => world.idp.post("/.search", { schemas: [URN.search], ...body });
    const all = await search({ count: 200 });
    expect(all.body).toMatchObject({ totalResults: COUNT + 1, startIndex: 1, itemsPerPage: COUNT + 1 });
    expect(all.body.Resources.at(-1).meta.resourceType).toBe("Group");
    const one = await search({
      filter: 'displayName eq "a search" or userName eq "user01"',
      sortBy: "displayName",
    });
    expect(one.body.Resources.map(({ id }: { id: string }) => id)).toContain(group.body.id);
    expect(one.body.totalResults).toBe(2);
    expect((await search({ filter: 'userName eq "user01"' })).body.totalResults).toBe(1);
    expect((await search({ filter: "not (userName pr)" })).body.totalResults).toBe(1);
    // A group has no title and no e-mail, like a user who was given none.
    const ofGroups = async (filter: string) => {
      const { body } = await search({ filter: `meta.resourceType eq "Group" and (${filter})` });
      return body.totalResults;
    };
    expect(await ofGroups('title ne "x" and title eq null and emails eq null')).toBe(1);
    expect(await ofGroups('title eq "x" or emails ne "x"')).toBe(0);
    expect((await search({ filter: 'nosuch eq "x"' })).status).toBe(400);
    const page = await search({
      sortBy: "userName",
      sortOrder: "descending",
      count: 1,
      startIndex: 2,
      attributes: ["userName"],
    });
    expect(page.body.Resources).toEqual([
      { schemas: [URN.user], id: expect.any(String), userName: "user24" },
    ]);
    const root = await world.idp.get(`/?filter=${encodeURIComponent("members pr or title pr")}&count=0`);
    expect(root.body).toMatchObject({ totalResults: 20, itemsPerPage: 0, Resources: [] });
  });

  it("takes the parameters of a list in a body, for one type", async () => {
    const body = {
      schemas: [URN.search],
      filter: "active eq false",
      sortBy: "userName",
      count: 2,
      startIndex: 2,
      attributes: ["userName"],
    };
    const answer = await world.idp.post("/Users/.search", body);
    expect(answer.body).toMatchObject({ totalResults: 9, startIndex: 2, itemsPerPage: 2 });
    expect(answer.body.Resources.map(({ userName }: { userName: string }) => userName)).toEqual([
      "user03",
      "user06",
    ]);
    expect(answer.body.Resources[0]).not.toHaveProperty("active");
    const groups = await world.idp.post("/Groups/.search", {
      excludedAttributes: ["members"],
      COUNT: 1,
      cursor: "",
    });
    expect(groups.body).toMatchObject({ itemsPerPage: 1 });
  });

  it("refuses what is no search", async () => {
    expect((await world.idp.post("/Users/.search", { schemas: [URN.patch] })).status).toBe(400);
    expect((await world.idp.post("/Users/.search", { filter: 5 })).status).toBe(400);
    expect((await world.idp.post("/Users/.search", "nonsense")).body.scimType).toBe("invalidSyntax");
    for (const path of ["/Users/.search", "/Groups/.search", "/.search"]) {
      const { status, headers } = await world.idp.get(path);
      expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "POST" });
    }
  });
});
