import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME, WORK, patchUser } from "../../support/patch-user.ts";
import { type ScimWorld, URN, createScimWorld, patchBody, userBody } from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

function roles(count: number, prefix = "role-") {
  return Array.from({ length: count }, (_, at) => ({ value: `${prefix}${at}` }));
}

/** A condition with one part too many, which every element with a value matches. */
function wide(parts: number): string {
  return Array.from({ length: parts }, () => "value pr").join(" or ");
}

describe("PATCH /scim/v2/Users/:id", () => {
  it("rejects removing active, and says why", async () => {
    const { body: user } = await world.idp.post("/Users", userBody({}));
    for (const path of ["active", "Active", `${URN.user}:active`]) {
      const refused = await world.idp.patch(`/Users/${user.id}`, patchBody({ op: "Remove", path }));
      expect(refused.body).toMatchObject({ status: "400", scimType: "mutability" });
      expect(refused.body.detail).toContain("considered unassigned");
    }
    expect((await world.idp.get(`/Users/${user.id}`)).body).toMatchObject({ active: true, meta: user.meta });
  });

  it.each<[string, object[], string]>([
    ["a malformed operation", [{ op: "move", path: "title", value: "x" }], "invalidSyntax"],
    ["an operation without op", [{ path: "title", value: "x" }], "invalidSyntax"],
    ["an unknown path", [{ op: "replace", path: "nosuch", value: "x" }], "invalidPath"],
    ["an unknown sub-attribute", [{ op: "replace", path: "name.nosuch", value: "x" }], "invalidPath"],
    [
      "a path of another schema",
      [{ op: "replace", path: "urn:example:User:title", value: "x" }],
      "invalidPath",
    ],
    ["a path with trailing characters", [{ op: "replace", path: "title and", value: "x" }], "invalidPath"],
    [
      "an unknown sub-attribute after a condition",
      [{ op: "replace", path: 'emails[type eq "work"].nosuch', value: "x" }],
      "invalidPath",
    ],
    [
      "too many elements",
      [
        { op: "add", path: "roles", value: roles(200) },
        { op: "add", path: "roles", value: { value: "one more" } },
      ],
      "invalidValue",
    ],
    ["a path that is not a string", [{ op: "replace", path: 5, value: "x" }], "invalidPath"],
    [
      "a malformed condition",
      [{ op: "replace", path: 'emails[type eq "work"', value: "x" }],
      "invalidFilter",
    ],
    [
      "a condition on an unknown attribute",
      [{ op: "replace", path: 'emails[nosuch eq "x"].value', value: "x" }],
      "invalidFilter",
    ],
    [
      "a condition that matches nothing",
      [{ op: "replace", path: 'emails[value eq "none"].display', value: "x" }],
      "noTarget",
    ],
    [
      "conditions with too many parts in total",
      Array.from({ length: 20 }, () => ({ op: "replace", path: `emails[${wide(100)}].display`, value: "x" })),
      "invalidFilter",
    ],
    [
      "a removal with a condition that matches nothing",
      [{ op: "remove", path: 'emails[value eq "none"]' }],
      "noTarget",
    ],
    ...[
      "type eq 5",
      "type eq true",
      'primary eq "x"',
      "primary gt true",
      "type lt null",
      "value pr and type eq 5",
    ].map((condition): [string, object[], string] => [
      `a condition that compares what can't be compared: ${condition}`,
      [{ op: "remove", path: `emails[${condition}]` }],
      "invalidFilter",
    ]),
    ["a removal without a path", [{ op: "remove" }], "noTarget"],
    ["an id", [{ op: "replace", path: "id", value: "x" }], "mutability"],
    [
      "an attribute of meta",
      [{ op: "replace", path: "meta.created", value: "2000-01-01T00:00:00Z" }],
      "mutability",
    ],
    ["the user's groups", [{ op: "add", path: "groups", value: [{ value: "x" }] }], "mutability"],
    ["the removal of userName", [{ op: "remove", path: "userName" }], "mutability"],
    ["an empty userName", [{ op: "replace", path: "userName", value: "" }], "invalidValue"],
    ["a value of the wrong type", [{ op: "replace", path: "active", value: "maybe" }], "invalidValue"],
    ["an object instead of a string", [{ op: "replace", path: "title", value: { a: 1 } }], "invalidValue"],
    ["a string instead of an object", [{ op: "replace", path: "name", value: "Ada" }], "invalidValue"],
    ["adding nothing", [{ op: "add", path: "title" }], "invalidValue"],
    ["a value that is not an object without a path", [{ op: "add", value: "x" }], "invalidValue"],
    [
      "two primary elements at once",
      [{ op: "replace", path: "emails", value: [WORK, { ...HOME, primary: true }] }],
      "invalidValue",
    ],
    [
      "everything, if the last one fails",
      [
        { op: "replace", path: "title", value: "x" },
        { op: "replace", path: "nosuch", value: "x" },
      ],
      "invalidPath",
    ],
  ])("rejects %s, and changes nothing", async (_what, operations, scimType) => {
    const { status, body } = await patchUser(world.idp, operations);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { schemas: [URN.error], status: "400", scimType },
    });
  });

  it("rejects a malformed message", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const send = async (message: unknown) => {
      const answer = await world.idp.patch(`/Users/${body.id}`, message);
      return [answer.status, answer.body.scimType];
    };
    expect(await send({ Operations: [] })).toEqual([400, "invalidValue"]);
    expect(await send({ schemas: [URN.user], Operations: [] })).toEqual([400, "invalidValue"]);
    expect(await send({ schemas: [URN.patch] })).toEqual([400, "invalidSyntax"]);
    expect(await send({ schemas: [URN.patch], Operations: {} })).toEqual([400, "invalidSyntax"]);
    expect(await send({ schemas: [URN.patch], Operations: ["x"] })).toEqual([400, "invalidSyntax"]);
    expect(await send("nonsense")).toEqual([400, "invalidSyntax"]);
    const many = Array.from({ length: 1001 }, () => ({ op: "replace", path: "title", value: "x" }));
    expect((await send(patchBody(...many)))[0]).toBe(413);
    const inOne = Object.fromEntries(roles(1001).map(({ value }) => [`roles[value eq "${value}"]`, "x"]));
    expect((await send(patchBody({ op: "add", value: inOne })))[0]).toBe(413);
    const unknown = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`unknown${at}`, "x"]));
    expect((await send(patchBody({ op: "add", value: unknown })))[0]).toBe(413);
  });

  it("rejects many elements as fast as one too many", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const flood = Array.from({ length: 200 }, (_, at) => ({
      op: "add",
      path: "roles",
      value: roles(200, `${at}-`),
    }));
    const from = performance.now();
    const { status } = await world.idp.patch(`/Users/${body.id}`, patchBody(...flood));
    expect(status).toBe(400);
    // Comparing every pair of elements would take a minute.
    expect(performance.now() - from).toBeLessThan(15_000);
  });

  it("rejects operations that process too many elements in total", async () => {
    const { body } = await world.idp.post("/Users", userBody({ roles: roles(200) }));
    const patch = (count: number, path: string) => {
      const operation = { op: "replace", path, value: "x" };
      return world.idp.patch(
        `/Users/${body.id}`,
        patchBody(...Array.from({ length: count }, () => operation)),
      );
    };
    expect((await patch(250, "roles.display")).status).toBe(200);
    const refused = await patch(251, "roles.display");
    expect([refused.status, refused.body.detail]).toEqual([413, expect.stringContaining("at most 50000")]);
    expect((await patch(84, 'roles[value eq "role-1" or value eq "role-2"].display')).status).toBe(413);
    expect((await patch(1000, "title")).status).toBe(200);
  });

  it("rejects another user's userName", async () => {
    const [one, two] = [
      await world.idp.post("/Users", userBody()),
      await world.idp.post("/Users", userBody()),
    ];
    const answer = await world.idp.patch(
      `/Users/${two.body.id}`,
      patchBody({ op: "replace", path: "userName", value: one.body.userName }),
    );
    expect({ status: answer.status, scimType: answer.body.scimType }).toEqual({
      status: 409,
      scimType: "uniqueness",
    });
  });
});

describe("PATCH /scim/v2/Groups/:id", () => {
  it("rejects conditions with too many parts in total", async () => {
    const { body: group } = await world.idp.post("/Groups", { schemas: [URN.group], displayName: "Wide" });
    const remove = { op: "remove", path: `members[${wide(100)}]` };
    const refused = await world.idp.patch(
      `/Groups/${group.id}`,
      patchBody(...Array.from({ length: 20 }, () => remove)),
    );
    expect(refused.body).toMatchObject({ status: "400", scimType: "invalidFilter" });
    expect(refused.body.detail).toContain("at most 2000 parts");
  });

  it("bounds conditions on members, except by id", async () => {
    const { body: group } = await world.idp.post("/Groups", { schemas: [URN.group], displayName: "Large" });
    const patch = (condition: string, count: number) => {
      const remove = { op: "remove", path: `members[${condition}]` };
      return world.idp.patch(
        `/Groups/${group.id}`,
        patchBody(...Array.from({ length: count }, () => remove)),
      );
    };
    expect((await patch(`value eq "${group.id}"`, 100)).status).toBe(200);
    expect((await patch('display co "a" or type eq "User"', 5)).status).toBe(200);
    const refused = await patch('display co "a" or type eq "User"', 6);
    expect(refused.body).toMatchObject({ status: "400", scimType: "invalidFilter" });
    expect(refused.body.detail).toContain("at most 10 conditions on members");
  });
});
