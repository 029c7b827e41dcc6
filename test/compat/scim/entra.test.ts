import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type ScimWorld,
  URN,
  createScimWorld,
  groupBody,
  patchBody,
  userBody,
  word,
} from "../../support/scim-world.ts";

// Requests of Entra ID, with and without its flag aadOptscim062020.
// @see https://learn.microsoft.com/en-us/entra/identity/app-provisioning/use-scim-to-provision-users-and-groups

let world: ScimWorld;
let id: string;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  const { status, body } = await world.idp.post("/Users", {
    schemas: [URN.user, URN.enterprise],
    externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
    userName: `Test_User_${word()}`,
    active: true,
    meta: { resourceType: "User" },
    name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
    roles: [],
  });
  expect(status).toBe(201);
  id = body.id;
});

async function patch(...operations: object[]) {
  return world.idp.patch(`/Users/${id}`, patchBody(...operations));
}

/** The user after operations that must be accepted. */
async function after(...operations: object[]) {
  const { status, body } = await patch(...operations);
  expect({ status, detail: body?.detail }).toEqual({ status: 200, detail: undefined });
  expect((await world.idp.get(`/Users/${id}`)).body).toEqual(body);
  return body;
}

describe("Entra ID", () => {
  it("writes Add, Replace and Remove (9)", async () => {
    const body = await after(
      { op: "Add", path: "nickName", value: "Babs" },
      { op: "Replace", path: "title", value: "Boss" },
      { op: "Remove", path: "name.formatted" },
    );
    expect(body).toMatchObject({
      nickName: "Babs",
      title: "Boss",
      name: { familyName: "familyName", givenName: "givenName" },
    });
    expect(body.name).not.toHaveProperty("formatted");
  });

  it.each(["False", "false", false])(
    "disables a user by %j, in both states of the flag (10)",
    async (value) => {
      expect((await after({ op: "Replace", path: "active", value })).active).toBe(false);
      expect((await after({ op: "Replace", path: "active", value: "True" })).active).toBe(true);
      expect((await after({ op: "replace", value: { active: value } })).active).toBe(false);
    },
  );

  it("sends dotted names and URNs within one value, with the flag (11)", async () => {
    const body = await after({
      op: "replace",
      value: {
        displayName: "Bjfe",
        "name.givenName": "Kkom",
        "name.familyName": "Unua",
        [`${URN.enterprise}:employeeNumber`]: "Aklq",
        'emails[type eq "work"].value': "k@x.example",
      },
    });
    expect(body).toMatchObject({
      displayName: "Bjfe",
      name: { givenName: "Kkom", familyName: "Unua", formatted: "givenName familyName" },
      [URN.enterprise]: { employeeNumber: "Aklq" },
      emails: [{ type: "work", value: "k@x.example" }],
    });
    expect(body.schemas).toEqual([URN.user, URN.enterprise]);
  });

  it("sends one operation for each attribute, without the flag (11)", async () => {
    const body = await after(
      { op: "Add", path: "displayName", value: "Bjfe" },
      { op: "Add", path: "name.givenName", value: "Kkom" },
      { op: "Add", path: `${URN.enterprise}:department`, value: "D" },
    );
    expect(body).toMatchObject({
      displayName: "Bjfe",
      name: { givenName: "Kkom" },
      [URN.enterprise]: { department: "D" },
    });
  });

  it.each(["Add", "Replace"])("expects %s to create the element described by its path (12)", async (op) => {
    const body = await after(
      { op, path: 'emails[type eq "work"].value', value: "a@x.example" },
      { op, path: 'emails[type eq "work"].primary', value: "True" },
      { op, path: 'addresses[type eq "work"].streetAddress', value: "Street" },
      { op, path: 'addresses[type eq "work"].locality', value: "City" },
      { op, path: 'addresses[type eq "work"].postalCode', value: "1234" },
      { op, path: 'phoneNumbers[type eq "mobile"].value', value: "55555555555" },
    );
    expect(body.emails).toEqual([{ type: "work", value: "a@x.example", primary: true }]);
    expect(body.addresses).toEqual([
      { type: "work", streetAddress: "Street", locality: "City", postalCode: "1234" },
    ]);
    expect(body.phoneNumbers).toEqual([{ type: "mobile", value: "55555555555" }]);
    const again = await after(
      { op, path: 'emails[type eq "work"].value', value: "b@x.example" },
      { op, path: 'emails[type eq "home"].value', value: "h@x.example" },
    );
    expect(again.emails).toEqual([
      { type: "work", value: "b@x.example", primary: true },
      { type: "home", value: "h@x.example" },
    ]);
    expect(again.addresses).toEqual(body.addresses);
    const { status, body: refused } = await patch({
      op,
      path: 'emails[value eq "none"].display',
      value: "x",
    });
    expect({ status, scimType: refused.scimType }).toEqual({ status: 400, scimType: "noTarget" });
  });

  it("puts booleans of a path in quotes (13)", async () => {
    const body = await after(
      { op: "Add", path: 'roles[primary eq "True"].display', value: "Admin" },
      { op: "Add", path: 'roles[primary eq "True"].value', value: "admin" },
    );
    expect(body.roles).toEqual([{ primary: true, display: "Admin", value: "admin" }]);
    const emails = [{ primary: "True", type: "work", value: "q@x.example" }];
    expect((await after({ op: "Add", path: "emails", value: emails })).emails).toEqual([
      { primary: true, type: "work", value: "q@x.example" },
    ]);
  });

  it("keeps an unknown manager without a URL until that user is created", async () => {
    const path = `${URN.enterprise}:manager`;
    const { body: boss } = await world.idp.post("/Users", userBody({}));
    const { body: minion } = await world.idp.post(
      "/Users",
      userBody({ [URN.enterprise]: { manager: boss.id } }),
    );
    const at = `/Users/${minion.id}`;
    const elsewhere = await createScimWorld();
    const { body: outsider } = await elsewhere.idp.post("/Users", userBody({}));
    const readManager = async () => (await world.idp.get(at)).body[URN.enterprise].manager;
    const listed = async (query: string) =>
      (await world.idp.get(`/Users?filter=${encodeURIComponent(`${path}.${query}`)}`)).body.totalResults;
    for (const value of [crypto.randomUUID(), outsider.id, "boss-1", "A".repeat(36)]) {
      const answer = await world.idp.patch(at, patchBody({ op: "Replace", path, value }));
      expect(answer.status).toBe(200);
      expect(answer.body[URN.enterprise].manager).toEqual({ value });
      expect(await readManager()).toEqual({ value });
      expect(await listed("$ref pr")).toBe(0);
      expect(await listed(`value eq "${value}"`)).toBe(1);
    }
    await elsewhere.close();
    await world.idp.patch(at, patchBody({ op: "Replace", path, value: boss.id }));
    expect(await readManager()).toEqual({ value: boss.id, $ref: boss.meta.location });
    expect(await listed("$ref pr")).toBe(1);
    const { version } = (await world.idp.get(at)).body.meta;
    expect((await world.idp.delete(`/Users/${boss.id}`)).status).toBe(204);
    const after = await world.idp.get(at);
    expect(after.body[URN.enterprise].manager).toEqual({ value: boss.id });
    expect(after.body.meta.version).not.toBe(version);
  });

  it("sends a manager as a string, and removes it in two ways (14)", async () => {
    const path = `${URN.enterprise}:manager`;
    const boss = (await world.idp.post("/Users", userBody())).body;
    const body = await after({ op: "Add", path, value: boss.id });
    expect(body[URN.enterprise].manager).toEqual({ value: boss.id, $ref: boss.meta.location });
    expect(await after({ op: "Replace", path, value: "" })).not.toHaveProperty([URN.enterprise]);
    await after({ op: "Add", path: `${path}.value`, value: boss.id });
    expect(
      (await after({ op: "Replace", path, value: { displayName: "x" } }))[URN.enterprise].manager,
    ).toEqual(body[URN.enterprise].manager);
    expect(await after({ op: "Replace", path: `${path}.value`, value: "" })).not.toHaveProperty([
      URN.enterprise,
    ]);
    await after({ op: "Add", path: `${path}.value`, value: boss.id });
    expect(await after({ op: "Remove", path: `${path}[value eq "${boss.id}"]` })).not.toHaveProperty([
      URN.enterprise,
    ]);
    await after({ op: "Add", path, value: { value: boss.id } });
    expect(await after({ op: "Remove", path })).not.toHaveProperty([URN.enterprise]);
    const listed = await after({ op: "Add", path, value: [{ $ref: boss.meta.location, value: boss.id }] });
    expect(listed[URN.enterprise].manager).toEqual(body[URN.enterprise].manager);
    const made = await world.idp.post("/Users", userBody({ [URN.enterprise]: { manager: boss.id } }));
    expect(made.body[URN.enterprise].manager).toEqual(body[URN.enterprise].manager);
  });

  it("removes members named in the value, or with the flag in the path (15, 16)", async () => {
    const ids = [id];
    for (let n = 0; n < 2; n++) ids.push((await world.idp.post("/Users", userBody())).body.id);
    const [one, two, three] = ids;
    const group = (await world.idp.post("/Groups", groupBody())).body;
    const send = async (...operations: object[]) => {
      const { status, body } = await world.idp.patch(`/Groups/${group.id}`, patchBody(...operations));
      expect(status).toBe(200);
      return (body.members ?? []).map(({ value }: { value: string }) => value);
    };
    const value = ids.map((each) => ({ $ref: null, value: each }));
    expect(await send({ op: "Add", path: "members", value })).toHaveLength(3);
    expect(
      new Set(await send({ op: "Remove", path: "members", value: [{ $ref: null, value: one }] })),
    ).toEqual(new Set([two, three]));
    expect(await send({ op: "remove", path: `members[value eq "${two}"]` })).toEqual([three]);
  });

  it("creates a group with its own schema (16)", async () => {
    const { status, body } = await world.idp.post("/Groups", {
      schemas: [URN.group, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      displayName: `displayName ${word()}`,
      meta: { resourceType: "Group" },
    });
    expect({ status, schemas: body.schemas }).toEqual({ status: 201, schemas: [URN.group] });
  });

  it("reads groups without members, and filters by member (17)", async () => {
    const group = (
      await world.idp.post("/Groups", groupBody({ externalId: word(), members: [{ value: id }] }))
    ).body;
    const find = async (filter: string) =>
      (await world.idp.get(`/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`)).body;
    const found = await find(`displayName eq "${group.displayName}"`);
    expect(found).toMatchObject({ totalResults: 1, Resources: [{ id: group.id }] });
    expect(found.Resources[0]).not.toHaveProperty("members");
    expect((await find(`externalId eq "${group.externalId}"`)).totalResults).toBe(1);
    expect((await find(`id eq "${group.id}" and members eq "${id}"`)).totalResults).toBe(1);
    expect((await find(`id eq "${group.id}" and members[value eq "${id}"]`)).totalResults).toBe(1);
    expect((await find(`id eq "${group.id}" and members eq "${crypto.randomUUID()}"`)).totalResults).toBe(0);
    expect((await world.idp.get(`/Groups/${group.id}?excludedAttributes=members`)).body).not.toHaveProperty(
      "members",
    );
    const email = `${word()}@x.example`;
    await after({ op: "Add", path: 'emails[type eq "work"].value', value: email });
    for (const filter of [
      `emails[type eq "work"].value eq "${email}"`,
      `emails[type eq "work" and value eq "${email}"]`,
    ]) {
      const { body } = await world.idp.get(`/Users?filter=${encodeURIComponent(filter)}`);
      expect(body.Resources.map((each: { id: string }) => each.id)).toEqual([id]);
    }
  });

  it("finds disabled users but no deleted ones (18)", async () => {
    const { userName } = (await world.idp.get(`/Users/${id}`)).body;
    const find = async () =>
      (await world.idp.get(`/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`)).body
        .totalResults;
    await after({ op: "Replace", path: "active", value: "False" });
    expect(await find()).toBe(1);
    await world.idp.delete(`/Users/${id}`);
    expect(await find()).toBe(0);
  });

  it("finds values as it sent them, and no null in /Schemas (19)", async () => {
    const body = await after({ op: "Add", path: 'phoneNumbers[type eq "fax"].value', value: "0055 (5) x" });
    expect(body.phoneNumbers).toEqual([{ type: "fax", value: "0055 (5) x" }]);
    const schemas = await world.idp.get("/Schemas");
    expect(schemas.body.schemas).toEqual([URN.list]);
    expect(schemas.text).not.toContain("null");
  });

  it("can send no operations, and values in a list of one (20)", async () => {
    const before = (await world.idp.get(`/Users/${id}`)).body;
    expect(await after()).toEqual(before);
    expect((await after({ op: "Replace", path: "displayName", value: ["Listed"] })).displayName).toBe(
      "Listed",
    );
    expect((await after({ op: "Replace", path: "active", value: ["False"] })).active).toBe(false);
  });

  it("gets 200 and the group after changing it (21)", async () => {
    const group = (await world.idp.post("/Groups", groupBody())).body;
    const { status, body } = await world.idp.patch(
      `/Groups/${group.id}`,
      patchBody({ op: "Replace", path: "displayName", value: "1879db59" }),
    );
    expect({ status, displayName: body.displayName }).toEqual({ status: 200, displayName: "1879db59" });
    expect((await world.idp.delete(`/Groups/${group.id}`)).status).toBe(204);
  });
});
