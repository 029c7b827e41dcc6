import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COUNT, type ManyWorld, createManyWorld } from "../../support/scim-many.ts";
import { URN, groupBody } from "../../support/scim-world.ts";

let world: ManyWorld;

beforeAll(async () => {
  world = await createManyWorld();
});

afterAll(() => world.close());

describe("/.search", () => {
  it("finds users, groups and agents together by their own attributes", async () => {
    const group = await world.idp.post("/Groups", groupBody({ displayName: "A search" }));
    const search = (body: object) => world.idp.post("/.search", { schemas: [URN.search], ...body });
    const all = await search({ count: 200 });
    expect(all.body).toMatchObject({ totalResults: COUNT + 2, startIndex: 1, itemsPerPage: COUNT + 2 });
    // The agent of the workspace's primary key is the oldest.
    expect(all.body.Resources[0].meta.resourceType).toBe("Agent");
    expect(all.body.Resources.at(-1).meta.resourceType).toBe("Group");
    const one = await search({
      filter: 'displayName eq "a search" or userName eq "user01"',
      sortBy: "displayName",
    });
    expect(one.body.Resources.map(({ id }: { id: string }) => id)).toContain(group.body.id);
    expect(one.body.totalResults).toBe(2);
    expect((await search({ filter: 'userName eq "user01"' })).body.totalResults).toBe(1);
    expect((await search({ filter: "not (userName pr)" })).body.totalResults).toBe(2);
    // A group has no title and no email, like a user without any.
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
      startIndex: 3,
      attributes: ["userName"],
    });
    expect(page.body.Resources).toEqual([
      { schemas: [URN.user], id: expect.any(String), userName: "user24" },
    ]);
    const root = await world.idp.get(`/?filter=${encodeURIComponent("members pr or title pr")}&count=0`);
    expect(root.body).toMatchObject({ totalResults: 20, itemsPerPage: 0, Resources: [] });
  });

  it("accepts list parameters in a body, for one type", async () => {
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
      schemas: [URN.search],
      excludedAttributes: ["members"],
      COUNT: 1,
      cursor: "",
    });
    expect(groups.body).toMatchObject({ itemsPerPage: 1 });
  });

  it("rejects malformed searches", async () => {
    expect((await world.idp.post("/Users/.search", { schemas: [URN.patch] })).status).toBe(400);
    for (const path of ["/.search", "/Users/.search", "/Groups/.search"]) {
      const refused = await world.idp.post(path, { filter: "id pr" });
      expect(refused.body).toMatchObject({ status: "400", detail: expect.stringContaining(URN.search) });
    }
    expect((await world.idp.post("/Users/.search", { schemas: [URN.search], filter: 5 })).status).toBe(400);
    expect((await world.idp.post("/Users/.search", "nonsense")).body.scimType).toBe("invalidSyntax");
    for (const path of ["/Users/.search", "/Groups/.search", "/.search"]) {
      const { status, headers } = await world.idp.get(path);
      expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "POST" });
    }
  });
});
