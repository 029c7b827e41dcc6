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

// Requests of Google Workspace, OneLogin, JumpCloud and authentik, as far as known.

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

type Described = { name: string; mutability: string; subAttributes?: Described[] };

/** A value of every writable attribute in /Schemas, according to its characteristics. */
function sample(attribute: Described & Record<string, unknown>): unknown {
  const single = () => {
    switch (attribute["type"]) {
      case "boolean":
        return true;
      case "binary":
        return "TUlJQw==";
      case "complex":
        return Object.fromEntries(
          (attribute.subAttributes ?? []).filter(isWritable).map((sub) => [sub.name, sample(sub)]),
        );
      default:
        return `${attribute.name}-${word()}`;
    }
  };
  return attribute["multiValued"] === true ? [single()] : single();
}

function isWritable({ mutability }: Described): boolean {
  return mutability === "readWrite" || mutability === "immutable";
}

describe("Google Workspace", () => {
  it("builds its mapping from /Schemas, whose flags are true (22)", async () => {
    const { body } = await world.idp.get("/Schemas");
    const [user, enterprise] = [URN.user, URN.enterprise].map((urn) =>
      body.Resources.find(({ id }: { id: string }) => id === urn),
    );
    const fields = (attributes: (Described & Record<string, unknown>)[]) =>
      Object.fromEntries(
        attributes.filter(isWritable).map((attribute) => [attribute.name, sample(attribute)]),
      );
    const sent: Record<string, unknown> = {
      ...fields(user.attributes),
      [URN.enterprise]: fields(enterprise.attributes),
    };
    const { status, body: made } = await world.idp.post("/Users", {
      schemas: [URN.user, URN.enterprise],
      ...sent,
    });
    expect(status).toBe(201);
    const { manager, ...company } = made[URN.enterprise];
    const { manager: sentManager, ...sentCompany } = sent[URN.enterprise] as Record<string, unknown>;
    expect(company).toEqual(sentCompany);
    expect(manager).toMatchObject(sentManager as object);
    const { [URN.enterprise]: _gone, ...rest } = sent;
    expect(made).toMatchObject(rest);
    const required = user.attributes.filter(
      (attribute: Record<string, unknown>) => attribute["required"] === true,
    );
    expect(required.map(({ name }: { name: string }) => name)).toEqual(["userName"]);
  });

  it("suspends and deletes independently, in any order (22)", async () => {
    const [one, two] = [
      await world.idp.post("/Users", userBody()),
      await world.idp.post("/Users", userBody()),
    ];
    expect(
      (
        await world.idp.patch(
          `/Users/${one.body.id}`,
          patchBody({ op: "replace", path: "active", value: false }),
        )
      ).status,
    ).toBe(200);
    expect((await world.idp.delete(`/Users/${one.body.id}`)).status).toBe(204);
    expect((await world.idp.delete(`/Users/${two.body.id}`)).status).toBe(204);
  });
});

describe("OneLogin", () => {
  it("changes groups by PATCH with application/scim+json (23)", async () => {
    const { body } = await world.idp.post("/Groups", groupBody());
    const answer = await world.idp.patch(
      `/Groups/${body.id}`,
      patchBody({ op: "replace", path: "displayName", value: "Renamed" }),
      {
        "content-type": "application/scim+json",
      },
    );
    expect({ status: answer.status, displayName: answer.body.displayName }).toEqual({
      status: 200,
      displayName: "Renamed",
    });
  });
});

describe("JumpCloud", () => {
  it("creates a test user and a test group, and deletes both (24)", async () => {
    const user = await world.idp.post("/Users", userBody());
    const group = await world.idp.post("/Groups", groupBody({ members: [{ value: user.body.id }] }));
    expect([user.status, group.status]).toEqual([201, 201]);
    expect((await world.idp.delete(`/Users/${user.body.id}`)).status).toBe(204);
    expect((await world.idp.delete(`/Groups/${group.body.id}`)).status).toBe(204);
  });

  it("adds the same member again and again (24)", async () => {
    const user = await world.idp.post("/Users", userBody());
    const group = await world.idp.post("/Groups", groupBody());
    const add = patchBody({ op: "add", path: "members", value: [{ value: user.body.id }] });
    for (let times = 0; times < 3; times++) {
      const { status, body } = await world.idp.patch(`/Groups/${group.body.id}`, add);
      expect({ status, members: body.members.length, version: body.meta.version }).toEqual({
        status: 200,
        members: 1,
        version: 'W/"2"',
      });
    }
  });
});

describe("authentik", () => {
  it("can use both PUT and PATCH (25)", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    expect((await world.idp.put(`/Users/${body.id}`, body)).status).toBe(200);
    expect((await world.idp.patch(`/Users/${body.id}`, patchBody())).status).toBe(200);
    const { body: config } = await world.idp.get("/ServiceProviderConfig");
    expect(config.patch.supported).toBe(true);
  });
});
