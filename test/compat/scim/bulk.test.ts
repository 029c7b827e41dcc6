import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ScimWorld,
  URN,
  createScimWorld,
  groupBody,
  patchBody,
  userBody,
  word,
} from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

async function bulk(Operations: unknown, fields: object = {}) {
  return world.idp.post("/Bulk", { schemas: [URN.bulk], Operations, ...fields });
}

describe("POST /scim/v2/Bulk", () => {
  it("does everything single requests do, with results in order", async () => {
    const a = (await world.idp.post("/Users", userBody())).body;
    const b = (await world.idp.post("/Users", userBody())).body;
    const c = (await world.idp.post("/Users", userBody())).body;
    const { status, body } = await bulk([
      { method: "POST", path: "/Users", bulkId: "q", data: userBody({ title: "new" }) },
      { method: "put", path: `/Users/${a.id}`, data: { ...a, title: "put" }, version: a.meta.version },
      {
        method: "PATCH",
        path: `/Users/${b.id}`,
        data: patchBody({ op: "replace", path: "title", value: "patched" }),
      },
      { method: "PATCH", path: `Users/${b.id}`, data: [{ op: "add", path: "nickName", value: "n" }] },
      { method: "DELETE", path: `/users/${c.id}` },
    ]);
    expect(status).toBe(200);
    expect(body.schemas).toEqual(["urn:ietf:params:scim:api:messages:2.0:BulkResponse"]);
    expect(
      body.Operations.map((each: Record<string, unknown>) => [
        each["method"],
        each["status"],
        each["bulkId"],
      ]),
    ).toEqual([
      ["POST", "201", "q"],
      ["PUT", "200", undefined],
      ["PATCH", "200", undefined],
      ["PATCH", "200", undefined],
      ["DELETE", "204", undefined],
    ]);
    const [made] = body.Operations;
    const read = await world.idp.get(made.location.slice(made.location.indexOf("/Users")));
    expect(read.body).toMatchObject({
      title: "new",
      meta: { location: made.location, version: made.version },
    });
    expect((await world.idp.get(`/Users/${a.id}`)).body.title).toBe("put");
    expect((await world.idp.get(`/Users/${b.id}`)).body).toMatchObject({ title: "patched", nickName: "n" });
    expect((await world.idp.get(`/Users/${c.id}`)).status).toBe(404);
  });

  it("creates each resource once in any order, and replaces bulkIds by ids", async () => {
    const before = (await world.idp.get("/?count=0")).body.totalResults;
    const { body } = await bulk([
      {
        method: "POST",
        path: "/Groups",
        bulkId: "g",
        data: groupBody({ members: [{ value: "bulkId:ann" }, { value: "bulkId:bob" }] }),
      },
      {
        method: "PATCH",
        path: "/Groups/bulkId:g",
        data: patchBody({ op: "replace", path: "displayName", value: "Tour Guides" }),
      },
      { method: "POST", path: "/Users", bulkId: "ann", data: userBody() },
      {
        method: "POST",
        path: "/Users",
        bulkId: "bob",
        data: userBody({ [URN.enterprise]: { manager: { value: "bulkId:ann" } } }),
      },
    ]);
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual([
      "201",
      "200",
      "201",
      "201",
    ]);
    expect((await world.idp.get("/?count=0")).body.totalResults).toBe(before + 3);
    const getId = (at: number) => body.Operations[at].location.split("/").at(-1);
    const { body: group } = await world.idp.get(`/Groups/${getId(0)}`);
    expect(group.displayName).toBe("Tour Guides");
    expect(
      group.members
        .map(({ value }: { value: string }) => value)
        .toSorted((a: string, b: string) => (a < b ? -1 : 1)),
    ).toEqual([String(getId(2)), String(getId(3))].toSorted((a, b) => (a < b ? -1 : 1)));
    const { body: bob } = await world.idp.get(`/Users/${getId(3)}`);
    expect(bob[URN.enterprise].manager.value).toBe(getId(2));
  });

  it("creates resources that refer to each other", async () => {
    const manager = (bulkId: string) => ({ [URN.enterprise]: { manager: { value: `bulkId:${bulkId}` } } });
    const { body } = await bulk([
      { method: "POST", path: "/Users", bulkId: "one", data: userBody(manager("two")) },
      { method: "POST", path: "/Users", bulkId: "two", data: userBody(manager("one")) },
    ]);
    const [one, two] = body.Operations.map(({ location }: { location: string }) =>
      location.split("/").at(-1),
    );
    expect((await world.idp.get(`/Users/${one}`)).body[URN.enterprise].manager.value).toBe(two);
    expect((await world.idp.get(`/Users/${two}`)).body[URN.enterprise].manager.value).toBe(one);
  });

  it("reports errors of single operations and continues", async () => {
    const { body: user } = await world.idp.post("/Users", userBody());
    const { status, body } = await bulk([
      { method: "POST", path: "/Users", bulkId: "dup", data: userBody({ userName: user.userName }) },
      { method: "POST", path: "/Users", bulkId: "bad", data: userBody({ userName: undefined }) },
      {
        method: "POST",
        path: "/Groups",
        bulkId: "left",
        data: groupBody({ members: [{ value: "bulkId:dup" }] }),
      },
      {
        method: "POST",
        path: "/Groups",
        bulkId: "lost",
        data: groupBody({ members: [{ value: "bulkId:nowhere" }] }),
      },
      { method: "PUT", path: `/Users/${user.id}`, data: user, version: 'W/"stale"' },
      { method: "DELETE", path: `/Users/${crypto.randomUUID()}` },
      { method: "POST", path: "/Users", data: userBody() },
      { method: "GET", path: "/Users" },
      { method: "POST", path: "/Nosuch", bulkId: "x", data: {} },
      { method: "PATCH", path: `/Users/${user.id}` },
      { method: "DELETE" },
      "nonsense",
      { method: "POST", path: "/Bulk", bulkId: "y", data: {} },
      {
        method: "PATCH",
        path: `/Users/${user.id}`,
        data: patchBody({ op: "replace", path: "title", value: "still" }),
      },
    ]);
    expect(status).toBe(200);
    expect(body.Operations.map((each: { status: string }) => each.status)).toEqual([
      "409",
      "400",
      "409",
      "409",
      "412",
      "404",
      "400",
      "400",
      "404",
      "400",
      "400",
      "400",
      "404",
      "200",
    ]);
    for (const { status: code, response } of body.Operations.slice(0, -1)) {
      expect(response).toMatchObject({ schemas: [URN.error], status: code, detail: expect.any(String) });
    }
    expect((await world.idp.get(`/Users/${user.id}`)).body.title).toBe("still");
  });

  it("returns the location of failed operations, except creations", async () => {
    const { id } = (await world.idp.post("/Users", userBody())).body;
    const nobody = "00000000-0000-4000-8000-000000000000";
    const { body } = await bulk([
      { method: "DELETE", path: `/Users/${nobody}` },
      { method: "PUT", path: `/Users/${id}`, data: userBody(), version: 'W/"0"' },
      { method: "PATCH", path: "/Groups/bulkId:g", data: [{ op: "move" }] },
      { method: "POST", path: "/Groups", bulkId: "g", data: groupBody() },
      { method: "POST", path: "/Groups", bulkId: "none", data: {} },
      { method: "DELETE", path: "/Nowhere/1" },
      { method: "DELETE", path: "/Users/no one" },
      { method: "DELETE", path: "/Users/bulkId:nobody" },
      { method: "DELETE", path: "/Users/\ud800" },
    ]);
    const shown = body.Operations.map(({ status, location }: { status: string; location?: string }) => [
      status,
      location?.slice(location.lastIndexOf("/") + 1),
    ]);
    const [, , , made] = shown;
    expect(shown).toEqual([
      ["404", nobody],
      ["412", id],
      ["400", made[1]],
      ["201", expect.any(String)],
      ["400", undefined],
      ["404", undefined],
      ["404", "no%20one"],
      ["409", undefined],
      ["404", encodeURIComponent("\ufffd")],
    ]);
  });

  it("keeps a created resource if a later change with its bulkId fails", async () => {
    const patch = (name: string) => patchBody({ op: "replace", path: name, value: "x" });
    const { body } = await bulk([
      { method: "POST", path: "/Users", bulkId: "q", data: userBody() },
      { method: "PATCH", path: "/Users/bulkId:q", bulkId: "q", data: patch("nosuch") },
      { method: "PATCH", path: "/Users/bulkId:q", data: patch("title") },
    ]);
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(["201", "400", "200"]);
  });

  it("rejects a duplicate bulkId and creates nothing", async () => {
    const data = userBody();
    const twice = [data, userBody()].map((each) => ({
      method: "POST",
      path: "/Users",
      bulkId: "q",
      data: each,
    }));
    const { status, body } = await bulk(twice);
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: "invalidValue" });
    const filter = encodeURIComponent(`userName eq "${String(data["userName"])}"`);
    expect((await world.idp.get(`/Users?filter=${filter}`)).body.totalResults).toBe(0);
  });

  it("stops after failOnErrors errors", async () => {
    const fail = { method: "DELETE", path: `/Users/${crypto.randomUUID()}` };
    const name = word();
    const last = { method: "POST", path: "/Users", bulkId: "z", data: userBody({ userName: name }) };
    const { body } = await bulk([fail, fail, fail, last], { failOnErrors: 2 });
    expect(body.Operations.map(({ status }: { status: string }) => status)).toEqual(["404", "404"]);
    expect(
      (await world.idp.get(`/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`)).body.totalResults,
    ).toBe(0);
    expect((await bulk([fail, fail, last])).body.Operations).toHaveLength(3);
  });

  it("rejects too many operations and malformed messages", async () => {
    const many = Array.from({ length: 101 }, () => ({ method: "DELETE", path: "/Users/x" }));
    expect((await bulk(many)).status).toBe(413);
    expect((await bulk(many.slice(1))).status).toBe(200);
    const large = await bulk([
      { method: "POST", path: "/Users", bulkId: "l", data: { title: "x".repeat(1_048_576) } },
    ]);
    expect({ status: large.status, error: large.body.status }).toEqual({ status: 413, error: "413" });
    const deep = `{"Operations":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect((await world.idp.post("/Bulk", deep)).body).toMatchObject({
      status: "400",
      scimType: "invalidSyntax",
    });
    expect((await bulk({})).body.scimType).toBe("invalidSyntax");
    expect((await bulk([], { failOnErrors: "x" })).status).toBe(400);
    expect((await bulk([], { schemas: [URN.patch] })).status).toBe(400);
    expect((await bulk([], { schemas: undefined })).status).toBe(400);
    expect((await bulk([])).body.Operations).toEqual([]);
  });
});
