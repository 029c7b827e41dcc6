import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScimWorld, URN, createScimWorld, patchBody, userBody } from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

function sendBulk(Operations: unknown) {
  return world.idp.post("/Bulk", { schemas: [URN.bulk], Operations });
}

describe("the patches of a Bulk", () => {
  it("have at most as many operations in total as one patch can have", async () => {
    const { body: user } = await world.idp.post("/Users", userBody());
    const patch = (count: number, data: (operations: object[]) => unknown) => ({
      ...{ method: "PATCH", path: `/Users/${user.id}` },
      data: data(Array.from({ length: count }, () => ({ op: "replace", path: "title", value: "x" }))),
    });
    const asMessage = (operations: object[]) => patchBody(...operations);
    const asList = (operations: object[]) => operations;
    expect((await sendBulk([patch(500, asMessage), patch(500, asList)])).status).toBe(200);
    expect((await sendBulk([patch(501, asMessage), patch(500, asList)])).status).toBe(413);
  });

  it("have one operation for each member of a value without a path", async () => {
    const { body: user } = await world.idp.post("/Users", userBody());
    const patch = (...operations: object[]) => ({
      ...{ method: "PATCH", path: `/Users/${user.id}`, data: patchBody(...operations) },
    });
    const members = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`title${at}`, "x"]));
    for (const value of [members, { [URN.user]: members }, { [URN.user.toUpperCase()]: members }]) {
      const wide = patch({ op: "replace", path: " ", value });
      expect((await sendBulk([wide])).status).toBe(200);
      expect((await sendBulk([wide, wide])).status).toBe(413);
    }
  });

  it("have one operation for an attribute with parts", async () => {
    const { body: user } = await world.idp.post("/Users", userBody());
    const patch = (operation: object) => ({
      ...{ method: "PATCH", path: `/Users/${user.id}` },
      data: patchBody(...Array.from({ length: 400 }, () => operation)),
    });
    const name = { givenName: "Ada", familyName: "King", middleName: "B" };
    const company = { department: "d", division: "e", organization: "f" };
    const operations = [
      { op: "replace", path: "name", value: name },
      { op: "replace", value: { name } },
      { op: "replace", path: URN.enterprise, value: company },
      { op: "replace", value: { [URN.enterprise]: company } },
    ];
    for (const operation of operations) {
      const { status, body } = await sendBulk([patch(operation), patch(operation)]);
      expect({ status, results: body.Operations?.map((each: { status: string }) => each.status) }).toEqual({
        status: 200,
        results: ["200", "200"],
      });
    }
    const read = await world.idp.get(`/Users/${user.id}`);
    expect(read.body).toMatchObject({ name, [URN.enterprise]: company });
  });
});
