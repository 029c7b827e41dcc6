import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { type Idp, type ScimWorld, URN, createIdp, createScimWorld } from "../../support/scim-world.ts";

// Requests of Okta. @see https://developer.okta.com/docs/reference/scim/scim-20/

let world: ScimWorld;
let okta: Idp;
let id: string;

const USER = {
  schemas: [URN.user],
  userName: "test.user@okta.local",
  name: { givenName: "Test", familyName: "User" },
  emails: [{ primary: true, value: "test.user@okta.local", type: "work" }],
  displayName: "Test User",
  locale: "en-US",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq",
  active: true,
};

beforeAll(async () => {
  world = await createScimWorld();
  okta = createIdp(world.server.url, world.scimToken, "application/json");
});

afterAll(() => world.close());

describe("Okta", () => {
  it("tests the connection: integers, and a list (1)", async () => {
    const { status, body } = await okta.get("/Users?startIndex=1&count=2");
    expect({ status, body }).toEqual({
      status: 200,
      body: { schemas: [URN.list], totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] },
    });
  });

  it("searches for an unknown user (2)", async () => {
    const { status, body } = await okta.get(
      "/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100",
    );
    expect({ status, body }).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
  });

  it("creates the user and gets all of it back (3)", async () => {
    const { status, body } = await okta.post("/Users", USER);
    const { groups: _groups, password: _password, ...shown } = USER;
    expect(status).toBe(201);
    expect(body).toEqual({ ...shown, id: body.id, meta: body.meta });
    id = body.id;
  });

  it("finds the user in any case, and can't create a second one (4)", async () => {
    const { body } = await okta.get(
      `/Users?filter=${encodeURIComponent('userName eq "TEST.USER@OKTA.LOCAL"')}`,
    );
    expect(body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect((await okta.post("/Users", USER)).status).toBe(409);
  });

  it("gets errors without a token and for an unknown user (4)", async () => {
    const answer = await createTestClient(world.server.url).send("/scim/v2/Users", {
      headers: { authorization: "non-token" },
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(answer.body).toMatchObject({ schemas: [URN.error], status: "401", detail: expect.any(String) });
    const missing = await okta.get("/Users/00919288221112222");
    expect({ status: missing.status, body: missing.body }).toMatchObject({
      status: 404,
      body: { schemas: [URN.error], status: "404", detail: expect.any(String) },
    });
  });

  it("reads, changes and sends everything back by PUT; a missing active suspends nobody (5)", async () => {
    const { body: read } = await okta.get(`/Users/${id}`);
    const changed = { ...read, name: { ...read.name, familyName: "Changed" }, groups: [] };
    const { status, body } = await okta.put(`/Users/${id}`, changed);
    expect({ status, name: body.name, active: body.active }).toEqual({
      status: 200,
      name: { givenName: "Test", familyName: "Changed" },
      active: true,
    });
    const { active: _active, ...silent } = body;
    expect((await okta.put(`/Users/${id}`, silent)).body.active).toBe(true);
    expect((await okta.put(`/Users/${id}`, { ...body, active: false })).body.active).toBe(false);
    expect((await okta.put(`/Users/${id}`, { ...body, active: true })).body.active).toBe(true);
  });

  it("deactivates and activates by PATCH, and can still read the user (6)", async () => {
    const patch = (value: object) =>
      okta.patch(`/Users/${id}`, { schemas: [URN.patch], Operations: [{ op: "replace", value }] });
    const { status, body } = await patch({ active: false });
    expect({ status, active: body.active }).toEqual({ status: 200, active: false });
    expect((await okta.get(`/Users/${id}`)).body.active).toBe(false);
    const { body: list } = await okta.get(
      `/Users?filter=${encodeURIComponent(`userName eq "${USER.userName}"`)}`,
    );
    expect(list).toMatchObject({ totalResults: 1, Resources: [{ active: false }] });
    expect((await patch({ password: "another-1mz050nq" })).status).toBe(200);
    expect((await patch({ active: true })).body.active).toBe(true);
  });

  it("pushes a group, renames it and changes its members (7)", async () => {
    const made = await okta.post("/Groups", {
      schemas: [URN.group],
      displayName: "Test SCIMv2",
      members: [],
    });
    expect(made.status).toBe(201);
    const path = `/Groups/${made.body.id}`;
    const found = await okta.get(
      `/Groups?filter=${encodeURIComponent('displayName eq "Test SCIMv2"')}&startIndex=1&count=100`,
    );
    expect(found.body).toMatchObject({ totalResults: 1, Resources: [{ id: made.body.id }] });
    const patch = (...Operations: object[]) => okta.patch(path, { schemas: [URN.patch], Operations });
    const rename = { op: "replace", value: { id: made.body.id, displayName: "Test SCIMv2 renamed" } };
    expect((await patch(rename)).body.displayName).toBe("Test SCIMv2 renamed");
    const members = [
      { op: "remove", path: `members[value eq "${id}"]` },
      { op: "add", path: "members", value: [{ value: id, display: "test.user@okta.local" }] },
    ];
    for (let times = 0; times < 2; times++) {
      const { status, body } = await patch(...members);
      expect({ status, members: body.members.map(({ value }: { value: string }) => value) }).toEqual({
        status: 200,
        members: [id],
      });
    }
    expect((await patch(rename)).status).toBe(200);
    expect((await patch({ op: "remove", path: `members[value eq "${id}"]` })).body).not.toHaveProperty(
      "members",
    );
    const put = await okta.put(path, {
      schemas: [URN.group],
      id: made.body.id,
      displayName: "Test SCIMv2",
      members: [{ value: id, display: "x" }],
    });
    expect(put.body.members).toMatchObject([{ value: id }]);
    expect((await okta.delete(path)).status).toBe(204);
  });

  it("sees the same order on every page of 100 (8)", async () => {
    for (let n = 0; n < 5; n++) await okta.post("/Users", { ...USER, userName: `page${n}@okta.local` });
    const [first, again] = [
      await okta.get("/Users?startIndex=1&count=100"),
      await okta.get("/Users?startIndex=1&count=100"),
    ];
    expect(again.body).toEqual(first.body);
    const third = await okta.get("/Users?startIndex=3&count=1");
    expect(third.body.Resources).toEqual([first.body.Resources[2]]);
  });
});
