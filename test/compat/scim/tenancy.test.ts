import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer } from "../../support/client.ts";
import {
  type Idp,
  type ScimWorld,
  URN,
  createScimWorld,
  expectScimError,
  groupBody,
  patchBody,
  userBody,
} from "../../support/scim-world.ts";

let world: ScimWorld;
let user: { id: string; meta: { version: string } } & Record<string, unknown>;
let group: { id: string } & Record<string, unknown>;

beforeAll(async () => {
  world = await createScimWorld();
  user = (
    await world.idp.post(
      "/Users",
      userBody({
        displayName: "Ada",
        name: { givenName: "Ada", familyName: "Byron" },
        emails: [{ value: "a@x.example", type: "work" }, { value: "b@x.example" }],
        [URN.enterprise]: { department: "D", division: "E", manager: { value: "5" } },
      }),
    )
  ).body;
  group = (await world.idp.post("/Groups", groupBody({ members: [{ value: user.id }] }))).body;
});

afterAll(() => world.close());

describe("a second workspace", () => {
  it("sees, finds and changes nothing of the first", async () => {
    const { idp } = await world.another();
    for (const path of ["/Users", "/Groups"]) {
      expect((await idp.get(path)).body).toMatchObject({ totalResults: 0, Resources: [] });
    }
    expect((await idp.post("/.search", { filter: "id pr" })).body.totalResults).toBe(0);
    expect(
      (await idp.get(`/Users?filter=${encodeURIComponent(`id eq "${user.id}"`)}`)).body.totalResults,
    ).toBe(0);
    const rename = patchBody({ op: "replace", path: "displayName", value: "x" });
    for (const [path, body] of [
      [`/Users/${user.id}`, userBody()],
      [`/Groups/${group.id}`, groupBody()],
    ] as const) {
      for (const answer of await everyAnswer(idp, path, { body, rename })) expectScimError(answer, 404);
    }
    const own = await idp.post("/Groups", groupBody({ members: [{ value: user.id }] }));
    expect(own.body).not.toHaveProperty("members");
    const added = await idp.patch(
      `/Groups/${own.body.id}`,
      patchBody({ op: "add", path: "members", value: [{ value: user.id }] }),
    );
    expect(added.body).not.toHaveProperty("members");
    // The same name is free there.
    expect(
      (await idp.post("/Users", userBody({ userName: user["userName"], emails: user["emails"] }))).status,
    ).toBe(201);
    expect((await world.idp.get(`/Groups/${group.id}`)).body).toEqual(group);
  });
});

async function everyAnswer(
  idp: Idp,
  path: string,
  { body, rename }: { body: unknown; rename: unknown },
): Promise<Answer[]> {
  return [
    await idp.get(path),
    await idp.put(path, body),
    await idp.patch(path, rename),
    await idp.delete(path),
  ];
}
