import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScimWorld, URN, createScimWorld } from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

function search(path: string, conditions: string[]) {
  return world.idp.post(`${path}/.search`, { schemas: [URN.search], filter: conditions.join(" or ") });
}

type Case = { times: number; path: string; condition: string };

const CASES: Record<string, Case> = {
  "an attribute with several values": { times: 10, path: "/Users", condition: 'groups.display co "1"' },
  "long texts of a list": { times: 2, path: "/Users", condition: 'addresses.formatted co "1"' },
  "names of email addresses": { times: 2, path: "/Users", condition: 'emails.display co "1"' },
  "texts of elements": {
    times: 1,
    path: "/Users",
    condition: 'phoneNumbers[type eq "work" and value co "1"]',
  },
  elements: { times: 5, path: "/Users", condition: 'emails[type eq "work" and value co "1"]' },
  members: { times: 10, path: "/Groups", condition: 'members[display co "a"]' },
  "attributes of every type": { times: 10, path: "", condition: 'schemas co "User"' },
  "a value of a profile": { times: 40, path: "/Users", condition: 'title co "a"' },
  "an agent's description": { times: 10, path: "/Agents", condition: 'description co "a"' },
  "a part of a time": { times: 10, path: "/Users", condition: 'meta.created sw "2"' },
  "what is looked up": { times: 2, path: "/Users", condition: `${URN.enterprise}:manager.$ref co "Users"` },
  "a version": { times: 1, path: "/Users", condition: 'not (meta.version co "W")' },
};

describe("a filter", () => {
  it.each(Object.entries(CASES))("runs a bounded number of conditions for %s", async (_what, asked) => {
    const { times, path, condition } = asked;
    const conditions = Array.from({ length: times }, () => condition);
    expect((await search(path, conditions)).status).toBe(200);
    const { status, body } = await search(path, [...conditions, condition]);
    expect({ status, scimType: body.scimType }).toEqual({ status: 400, scimType: "invalidFilter" });
    expect(body.detail).toContain("at most 10 conditions on multi-valued attributes");
  });

  it("runs a condition on the row's own columns once per part", async () => {
    const conditions = Array.from({ length: 150 }, (_, n) => `userName eq "x${n}"`);
    expect((await search("/Users", conditions)).status).toBe(200);
  });
});
