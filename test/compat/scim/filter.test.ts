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
const ids: Record<string, string> = {};

/** Four people who differ in every attribute used below. */
const PEOPLE: Record<string, Record<string, unknown>> = {
  ann: {
    userName: "Ann@Example.com",
    externalId: "Ext-1",
    displayName: "Ann Ångström",
    title: "Boss",
    userType: "Employee",
    name: { givenName: "Ann", familyName: "Ångström" },
    emails: [
      { value: "ann@work.example", type: "work", primary: true },
      { value: "ann@home.example", type: "home" },
    ],
    phoneNumbers: [{ value: "+1-555-0100", type: "work" }],
    roles: [{ value: "Writer", primary: true }],
    [URN.enterprise]: { department: "Sales", employeeNumber: "007" },
  },
  bob: {
    userName: "bob@example.com",
    externalId: "ext-1",
    title: 'Say "hi" \\ 100%_',
    active: false,
    emails: [
      { value: "bob@work.example", type: "home" },
      { value: "bob@other.example", type: "work" },
    ],
    addresses: [{ type: "work", locality: "Oslo", country: "NO" }],
    [URN.enterprise]: { department: "Sales", manager: { value: "boss-1" } },
  },
  cy: { userName: "cy@example.org", userType: "Contractor", name: { familyName: "Ames" }, title: "" },
  dee: { userName: "dee", displayName: "DEE", profileUrl: "https://dee.example/" },
};

beforeAll(async () => {
  world = await createScimWorld();
  for (const [name, fields] of Object.entries(PEOPLE)) {
    const { status, body } = await world.idp.post("/Users", userBody(fields));
    expect(status).toBe(201);
    ids[name] = body.id;
  }
});

afterAll(() => world.close());

async function names(filter: string): Promise<string[]> {
  const { status, body } = await world.idp.get(`/Users?filter=${encodeURIComponent(filter)}`);
  expect({ status, detail: body?.detail }).toEqual({ status: 200, detail: undefined });
  const found = body.Resources.map(({ id }: { id: string }) =>
    Object.keys(ids).find((name) => ids[name] === id),
  );
  expect(body.totalResults).toBe(found.length);
  return found.toSorted();
}

const ALL = ["ann", "bob", "cy", "dee"];

describe("a filter", () => {
  it.each<[string, string[]]>([
    // Operators
    ['userName eq "ANN@EXAMPLE.COM"', ["ann"]],
    ['username EQ "bob@example.com"', ["bob"]],
    ['userName ne "bob@example.com"', ["ann", "cy", "dee"]],
    ['userName co "EXAMPLE"', ["ann", "bob", "cy"]],
    ['userName sw "b"', ["bob"]],
    ['userName ew ".ORG"', ["cy"]],
    ['userName gt "bob@example.com"', ["cy", "dee"]],
    ['userName ge "bob@example.com"', ["bob", "cy", "dee"]],
    ['userName lt "bob@example.com"', ["ann"]],
    ['userName le "bob@example.com"', ["ann", "bob"]],
    ["title pr", ["ann", "bob"]],
    ["userName pr", ALL],
    ["externalId pr", ["ann", "bob"]],
    ["emails pr", ["ann", "bob"]],
    ["name pr", ["ann", "cy"]],
    ["name.givenName pr", ["ann"]],
    // Case and exactness
    ['externalId eq "ext-1"', ["bob"]],
    ['externalId eq "Ext-1"', ["ann"]],
    ['displayName eq "ann ÅNGSTRÖM"', ["ann"]],
    ['URN:ietf:params:scim:schemas:core:2.0:User:userName eq "dee"', ["dee"]],
    // Absent values
    ['title ne "Boss"', ["bob", "cy", "dee"]],
    ["title eq null", ["cy", "dee"]],
    ["title ne null", ["ann", "bob"]],
    ["emails eq null", ["cy", "dee"]],
    ["emails.display eq null", ALL],
    ["emails.value ne null", ["ann", "bob"]],
    ['not (title eq "Boss")', ["bob", "cy", "dee"]],
    ["not (title pr)", ["cy", "dee"]],
    // Logic and precedence
    ['title pr and userType eq "Employee"', ["ann"]],
    ['title pr or userType eq "Contractor"', ["ann", "bob", "cy"]],
    ['userName eq "dee" or title pr and userType pr', ["ann", "dee"]],
    ['(userName eq "dee" or title pr) and userType pr', ["ann"]],
    ['not (userName eq "dee" or title pr)', ["cy"]],
    ["not(title pr)", ["cy", "dee"]],
    ['NOT (userName sw "a") AND userName co "example"', ["bob", "cy"]],
    ['((((userName eq "dee"))))', ["dee"]],
    // Booleans
    ["active eq true", ["ann", "cy", "dee"]],
    ["active eq false", ["bob"]],
    ['active eq "False"', ["bob"]],
    ["active ne true", ["bob"]],
    ["active eq TRUE", ["ann", "cy", "dee"]],
    // Several values
    ['emails.value eq "ANN@home.example"', ["ann"]],
    ['emails eq "ann@home.example"', ["ann"]],
    ['emails co "work.example"', ["ann", "bob"]],
    ['emails.type eq "work"', ["ann", "bob"]],
    ['emails[type eq "work"]', ["ann", "bob"]],
    ['emails[type eq "work" and value co "work.example"]', ["ann"]],
    ['emails[type eq "home" and value co "work.example"]', ["bob"]],
    ['emails[not (type eq "work") and value co "@home"]', ["ann"]],
    ['emails[type eq "work" or value pr]', ["ann", "bob"]],
    ['emails[type eq "work"].value eq "bob@other.example"', ["bob"]],
    ['emails[type eq "work"].value sw "ann"', ["ann"]],
    ["emails[primary eq true]", ["ann"]],
    ['emails[primary eq "True"].value co "work"', ["ann"]],
    ["emails[primary eq false]", ["ann", "bob"]],
    ['emails.value ne "ann@home.example"', ["ann", "bob"]],
    ['phoneNumbers.value co "555"', ["ann"]],
    ['phoneNumbers[type eq "work" and value sw "+1"]', ["ann"]],
    ['addresses[locality eq "oslo" and country eq "no"]', ["bob"]],
    ['addresses.locality eq "Oslo"', ["bob"]],
    ['roles eq "writer"', ["ann"]],
    ['roles[primary eq true].value eq "Writer"', ["ann"]],
    // A single complex value
    ['name.familyName co "ström"', ["ann"]],
    ['name[familyName eq "Ames"]', ["cy"]],
    // The extension
    [`${URN.enterprise}:department eq "sales"`, ["ann", "bob"]],
    [`${URN.enterprise}:manager.value eq "boss-1"`, ["bob"]],
    [`${URN.enterprise}:manager eq "boss-1"`, ["bob"]],
    [`${URN.enterprise}:manager pr`, ["bob"]],
    [`${URN.enterprise} pr`, ["ann", "bob"]],
    [`${URN.enterprise}:employeeNumber eq "007"`, ["ann"]],
    [`schemas eq "${URN.enterprise}"`, ["ann", "bob"]],
    [`schemas eq "${URN.user}"`, ALL],
    // Escapes, and characters that are special to LIKE
    ['title eq "say \\"hi\\" \\\\ 100%_"', ["bob"]],
    ['title co "%"', ["bob"]],
    ['title co "_"', ["bob"]],
    ['title co "\\\\"', ["bob"]],
    ['displayName co "\\u00e5ngstr"', ["ann"]],
    ["userName eq \"x' OR '1'='1\"", []],
    // Times
    ['meta.created gt "2020-01-01T00:00:00Z"', ALL],
    ['meta.created lt "2020-01-01T00:00:00+05:00"', []],
    ['meta.lastModified ge "2020-01-01T00:00:00"', ALL],
    ['meta.created sw "20"', ALL],
    ['meta.resourceType eq "User"', ALL],
    ['profileUrl co "dee.example"', ["dee"]],
  ])("%s", async (filter, expected) => {
    expect(await names(filter)).toEqual(expected);
  });

  it("finds a resource by its id, and by its ETag", async () => {
    expect(await names(`id eq "${ids["cy"]}"`)).toEqual(["cy"]);
    expect(await names(`id eq "not-an-id"`)).toEqual([]);
    const { body } = await world.idp.get(`/Users/${ids["cy"]}`);
    const version = JSON.stringify(body.meta.version);
    expect(await names(`id eq "${ids["cy"]}" and meta.version eq ${version}`)).toEqual(["cy"]);
    expect(await names(`meta.created eq "${body.meta.created}"`)).toContain("cy");
  });

  it.each([
    "",
    " ",
    "userName",
    "userName eq",
    'eq "x"',
    'userName eq "x',
    "userName eq x",
    "userName eq 'x'",
    'userName eq "x" and',
    'and userName eq "x"',
    'userName eq "x" userName eq "y"',
    '(userName eq "x"',
    'userName eq "x")',
    "()",
    "emails[]",
    'emails[type eq "work"',
    'emails[type eq "work"]]',
    'emails[nosuch eq "x"]',
    'emails[emails[type eq "x"]]',
    'emails[type eq "work"].nosuch eq "x"',
    'emails[type eq "work"].value',
    'userName[type eq "x"]',
    'nosuch eq "x"',
    'userName.nosuch eq "x"',
    'emails.nosuch eq "x"',
    '1abc eq "x"',
    'userName zz "x"',
    'userName eq"x"',
    'userName eq "x"and title pr',
    "not userName pr",
    "not",
    "active gt true",
    "active co true",
    'active eq "maybe"',
    "active eq 1",
    "userName eq true",
    "userName eq 5",
    "title gt null",
    'name eq "x"',
    'meta.created eq "yesterday"',
    "meta.created eq 5",
    'password eq "x"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    'userName eq "\\x"',
    'department eq "x"',
    'urn:nosuch:User:userName eq "x"',
    'userName eq "x"; DROP TABLE "user"',
    '$where eq "x"',
    '__proto__ eq "x"',
    "constructor pr",
  ])("is rejected if malformed: %j", async (filter) => {
    const { status, body } = await world.idp.get(`/Users?filter=${encodeURIComponent(filter)}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { schemas: [URN.error], status: "400", scimType: "invalidFilter" },
    });
  });

  it.each([
    ["length", `userName eq "${"x".repeat(5000)}"`],
    ["depth", `${"(".repeat(40)}userName pr${")".repeat(40)}`],
    ["nesting of not", `${"not (".repeat(40)}userName pr${")".repeat(40)}`],
    ["number of parts", Array.from({ length: 250 }, () => "id pr").join(" or ")],
  ])("is rejected above the limit of its %s", async (_what, filter) => {
    const { status, body } = await world.idp.post("/Users/.search", { schemas: [URN.search], filter });
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: "invalidFilter" });
  });

  it("is fast however many alternatives it has", async () => {
    const pair = '(userName eq "x" or title eq "y")';
    const filter = Array.from({ length: 32 }, () => pair).join(" and ");
    const started = performance.now();
    expect(await names(filter)).toEqual([]);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

describe("a filter on groups", () => {
  it("finds them by name and by member", async () => {
    const group = await world.idp.post(
      "/Groups",
      groupBody({ displayName: "Tour Guides", externalId: "G-1", members: [{ value: ids["ann"] }] }),
    );
    const found = async (filter: string) => {
      const { body } = await world.idp.get(`/Groups?filter=${encodeURIComponent(filter)}`);
      return body.totalResults;
    };
    const id = group.body.id;
    for (const filter of [
      'displayName eq "tour guides"',
      'displayName sw "Tour"',
      'externalId eq "G-1"',
      `id eq "${id}" and members eq "${ids["ann"]}"`,
      `id eq "${id}" and members[value eq "${ids["ann"]}"]`,
      `members.value eq "${ids["ann"]}"`,
      'members.display co "ångström"',
      'members[type eq "User"]',
      "members pr",
      'meta.resourceType eq "Group"',
    ]) {
      expect(await found(filter), filter).toBe(1);
    }
    for (const filter of [
      'displayName eq "Tour"',
      'externalId eq "g-1"',
      `members eq "${ids["bob"]}"`,
      'members eq "nobody"',
    ]) {
      expect(await found(filter), filter).toBe(0);
    }
    expect(await names(`groups.display eq "TOUR guides"`)).toEqual(["ann"]);
    expect(await names(`groups[value eq "${id}"]`)).toEqual(["ann"]);
    expect(await names(`groups eq "${id}"`)).toEqual(["ann"]);
    const { status } = await world.idp.get(`/Groups?filter=${encodeURIComponent('userName eq "x"')}`);
    expect(status).toBe(400);
    await world.idp.patch(`/Groups/${id}`, patchBody({ op: "remove", path: "members" }));
    expect(await found("members pr")).toBe(0);
  });
});
