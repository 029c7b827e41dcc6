import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ScimWorld,
  URN,
  createScimWorld,
  groupBody,
  patchBody,
  userBody,
} from "../../support/scim-world.ts";

let world: ScimWorld;
const users: string[] = [];

beforeAll(async () => {
  world = await createScimWorld();
  for (let n = 0; n < 4; n++) {
    users.push((await world.idp.post("/Users", userBody({ displayName: `User ${n}` }))).body.id);
  }
});

afterAll(() => world.close());

function member(n: number) {
  const value = users[n] ?? "";
  return { value, $ref: `${world.server.url}/scim/v2/Users/${value}`, display: `User ${n}`, type: "User" };
}

function refs(...which: number[]): { value: string | undefined }[] {
  return which.map((n) => ({ value: users[n] }));
}

async function createGroup(...which: number[]) {
  const { status, body } = await world.idp.post("/Groups", groupBody({ members: refs(...which) }));
  expect(status).toBe(201);
  return body;
}

/** The members of a group, as numbers. */
async function readMembers(id: string): Promise<number[]> {
  const { body } = await world.idp.get(`/Groups/${id}`);
  return (body.members ?? []).map(({ value }: { value: string }) => users.indexOf(value)).toSorted();
}

describe("POST /scim/v2/Groups", () => {
  it("creates a group and returns all of it", async () => {
    const sent = groupBody({ externalId: "G1", members: refs(0, 1) });
    const { status, body, headers } = await world.idp.post("/Groups", sent);
    expect(status).toBe(201);
    const location = `${world.server.url}/scim/v2/Groups/${body.id}`;
    expect({ ...body, members: new Set(body.members) }).toEqual({
      ...sent,
      id: body.id,
      members: new Set([member(0), member(1)]),
      meta: {
        resourceType: "Group",
        created: body.meta.created,
        lastModified: body.meta.created,
        location,
        version: headers.get("etag"),
      },
    });
    expect(headers.get("location")).toBe(location);
    expect((await world.idp.get(`/Groups/${body.id}`)).body).toEqual(body);
  });

  it("ignores unknown members and records that in the audit log", async () => {
    const outsider = crypto.randomUUID();
    const { status, body } = await world.idp.post(
      "/Groups",
      groupBody({ members: [...refs(0, 0), { value: "x".repeat(2000) }, { value: outsider }] }),
    );
    expect(status).toBe(201);
    expect(body.members).toEqual([member(0)]);
    const [row] = await world.server.database.query<{ changes: unknown }>(
      "SELECT changes FROM audit_event WHERE target_id = $1",
      [body.id],
    );
    expect(row?.changes).toMatchObject({ unknown_members: ["x".repeat(100), outsider] });
  });

  it.each<[string, Record<string, unknown>]>([
    ["without a name", { displayName: undefined }],
    ["with an empty name", { displayName: "" }],
    ["with a number as name", { displayName: 5 }],
    ["with a number as member", { members: [5] }],
    ["with a member outside a list", { members: { value: "x" } }],
    ["with a group as member", { members: [{ value: "x", type: "Group" }] }],
    ["without schemas", { schemas: undefined }],
    ["with the user's schema", { schemas: [URN.user] }],
  ])("rejects a group %s", async (_what, fields) => {
    const { status, body } = await world.idp.post("/Groups", groupBody(fields));
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { status: "400", scimType: "invalidValue" },
    });
  });
});

describe("a group within a group", () => {
  it("is rejected in every request, and no member is added", async () => {
    const [outer, inner] = [await createGroup(0), await createGroup(1)];
    const members = [...refs(2), { value: inner.id }];
    const path = `/Groups/${outer.id}`;
    for (const { status, body } of [
      await world.idp.post("/Groups", groupBody({ members })),
      await world.idp.put(path, groupBody({ members })),
      await world.idp.patch(path, patchBody({ op: "add", path: "members", value: members })),
      await world.idp.patch(path, patchBody({ op: "add", path: "members", value: [{ value: outer.id }] })),
    ]) {
      expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: "invalidValue" });
    }
    expect((await world.idp.get(path)).body).toEqual(outer);
  });
});

describe("PUT /scim/v2/Groups/:id", () => {
  it("replaces name and members", async () => {
    const { id } = await createGroup(0, 1);
    const { status, body } = await world.idp.put(
      `/Groups/${id}`,
      groupBody({ displayName: "New", members: refs(1, 2) }),
    );
    expect({ status, displayName: body.displayName }).toEqual({ status: 200, displayName: "New" });
    expect(await readMembers(id)).toEqual([1, 2]);
    expect((await world.idp.put(`/Groups/${id}`, groupBody())).body).not.toHaveProperty("members");
    expect((await world.idp.put(`/Groups/${crypto.randomUUID()}`, groupBody())).status).toBe(404);
  });

  it("changes nothing if the group is sent back unchanged", async () => {
    const made = await createGroup(0, 1);
    expect((await world.idp.put(`/Groups/${made.id}`, made)).body).toEqual(made);
  });
});

describe("PATCH /scim/v2/Groups/:id", () => {
  it.each<[string, (id: (n: number) => string) => object[], number[]]>([
    ["adds members", (id) => [{ op: "add", path: "members", value: [{ value: id(2) }] }], [0, 1, 2]],
    [
      "adds a member outside a list",
      (id) => [{ op: "add", path: "members", value: { value: id(2) } }],
      [0, 1, 2],
    ],
    [
      "adds a member given only by URL",
      (id) => [{ op: "add", path: "members", value: [{ $ref: `https://any.example/Users/${id(2)}` }] }],
      [0, 1, 2],
    ],
    [
      "doesn't add an existing member again",
      (id) => [{ op: "add", path: "members", value: [{ value: id(0) }] }],
      [0, 1],
    ],
    [
      "adds members without a path",
      (id) => [{ op: "add", value: { members: [{ value: id(2) }] } }],
      [0, 1, 2],
    ],
    [
      "ignores unknown users",
      (id) => [{ op: "add", path: "members", value: [{ value: "nobody" }, { value: id(3) }] }],
      [0, 1, 3],
    ],
    ["removes a member", (id) => [{ op: "remove", path: `members[value eq "${id(0)}"]` }], [1]],
    [
      "removes members by or",
      (id) => [{ op: "remove", path: `members[value eq "${id(0)}" or value eq "${id(1)}"]` }],
      [],
    ],
    ["removes a member by name", () => [{ op: "remove", path: 'members[display eq "user 1"]' }], [0]],
    [
      "removes members given in the value",
      (id) => [{ op: "remove", path: "members", value: [{ value: id(0) }] }],
      [1],
    ],
    ["removes nobody for an empty list", () => [{ op: "remove", path: "members", value: [] }], [0, 1]],
    [
      "ignores the removal of other users",
      (id) => [{ op: "remove", path: `members[value eq "${id(3)}"]` }],
      [0, 1],
    ],
    ["removes all members", () => [{ op: "remove", path: "members" }], []],
    ["replaces all members", (id) => [{ op: "replace", path: "members", value: [{ value: id(3) }] }], [3]],
    ["replaces all members by none", () => [{ op: "replace", path: "members", value: [] }], []],
    [
      "replaces without a path",
      (id) => [{ op: "replace", value: { members: [{ value: id(1) }, { value: id(2) }] } }],
      [1, 2],
    ],
    [
      "applies one after the other",
      (id) => [
        { op: "remove", path: "members" },
        { op: "add", path: "members", value: [{ value: id(2) }] },
        { op: "add", path: "members", value: [{ value: id(0) }] },
      ],
      [0, 2],
    ],
  ])("%s", async (_what, operations, expected) => {
    const { id, meta } = await createGroup(0, 1);
    const { status, body } = await world.idp.patch(
      `/Groups/${id}`,
      patchBody(...operations((n) => users[n] ?? "")),
    );
    expect(status).toBe(200);
    expect(await readMembers(id)).toEqual(expected);
    const isSame = expected.join() === "0,1";
    expect(body.meta.version === meta.version).toBe(isSame);
    expect(body.meta.lastModified === meta.lastModified).toBe(isSame);
  });

  it.each<[string, object, string]>([
    ["a member's name", { op: "replace", path: 'members[value eq "x"].display', value: "y" }, "mutability"],
    ["a member's id", { op: "replace", path: 'members[value eq "x"].value', value: "y" }, "mutability"],
    ["a member's type", { op: "add", path: "members.type", value: "Group" }, "mutability"],
    ["a member's unknown attribute", { op: "add", path: "members.rank", value: "1" }, "invalidPath"],
    [
      "replacing a member who isn't in it",
      { op: "replace", path: 'members[value eq "x"]', value: {} },
      "noTarget",
    ],
    ["removing the name", { op: "remove", path: "displayName" }, "mutability"],
    ["an empty name", { op: "replace", path: "displayName", value: "" }, "invalidValue"],
    ["adding nothing", { op: "add", path: "members" }, "invalidValue"],
    [
      "a condition on an unknown attribute",
      { op: "remove", path: 'members[nosuch eq "x"]' },
      "invalidFilter",
    ],
    ["a user's attribute", { op: "replace", path: "userName", value: "x" }, "invalidPath"],
  ])("rejects %s and changes nothing", async (_what, operation, scimType) => {
    const made = await createGroup(0, 1);
    const { status, body } = await world.idp.patch(
      `/Groups/${made.id}`,
      patchBody({ op: "remove", path: "members" }, operation),
    );
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType });
    expect((await world.idp.get(`/Groups/${made.id}`)).body).toEqual(made);
  });

  it("loses none of fifty members added concurrently", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 50; n++) ids.push((await world.idp.post("/Users", userBody())).body.id);
    const { id } = await createGroup();
    const answers = await Promise.all(
      ids.map((value) =>
        world.idp.patch(`/Groups/${id}`, patchBody({ op: "add", path: "members", value: [{ value }] })),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await world.idp.get(`/Groups/${id}`);
    expect(body.members.map(({ value }: { value: string }) => value).toSorted()).toEqual(ids.toSorted());
    expect(body.meta.version).toBe('W/"51"');
  });

  it("returns a large group without its members", async () => {
    const { workspaceId } = world;
    const { id } = await createGroup();
    await world.server.database.query(
      `WITH made AS (INSERT INTO "user" (workspace_id, id, user_name, role)
         SELECT $1::uuid, gen_random_uuid(), 'large' || n, 'viewer' FROM generate_series(1, 1001) n RETURNING id)
       INSERT INTO group_member (workspace_id, group_id, user_id) SELECT $1::uuid, $2::uuid, id FROM made`,
      [workspaceId, id],
    );
    const { body } = await world.idp.patch(
      `/Groups/${id}`,
      patchBody({ op: "add", path: "members", value: refs(0) }),
    );
    expect(body).not.toHaveProperty("members");
    expect((await world.idp.get(`/Groups/${id}`)).body.members).toHaveLength(1002);
    expect((await world.idp.get(`/Groups/${id}?excludedAttributes=members`)).body).not.toHaveProperty(
      "members",
    );
  });
});

describe("DELETE /scim/v2/Groups/:id", () => {
  it("deletes the group and keeps its members", async () => {
    const { id } = await createGroup(0);
    expect((await world.idp.delete(`/Groups/${id}`)).status).toBe(204);
    expect((await world.idp.get(`/Groups/${id}`)).status).toBe(404);
    expect((await world.idp.delete(`/Groups/${id}`)).status).toBe(404);
    const { status, body } = await world.idp.get(`/Users/${users[0]}`);
    expect(status).toBe(200);
    expect((body.groups ?? []).map(({ value }: { value: string }) => value)).not.toContain(id);
  });
});

describe("a deleted user", () => {
  it("leaves all groups, which changes their version", async () => {
    const { body: user } = await world.idp.post("/Users", userBody());
    const { body: group } = await world.idp.post(
      "/Groups",
      groupBody({ members: [{ value: user.id }, ...refs(0)] }),
    );
    await world.idp.delete(`/Users/${user.id}`);
    const { body } = await world.idp.get(`/Groups/${group.id}`);
    expect(body.members).toEqual([member(0)]);
    expect(body.meta.version).not.toBe(group.meta.version);
  });
});
