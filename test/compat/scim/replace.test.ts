import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import { WHOLE, withoutServerFields } from "../../support/scim-user.ts";
import { type ScimWorld, URN, createScimWorld, patchBody, userBody, word } from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

describe("PUT /scim/v2/Users/:id", () => {
  it("replaces all attributes, except those that clients can't set", async () => {
    const made = await world.idp.post("/Users", userBody(WHOLE));
    const { status, body, headers } = await world.idp.put(`/Users/${made.body.id}`, {
      ...userBody({ userName: made.body.userName, title: "Boss" }),
      id: crypto.randomUUID(),
      meta: { version: "x" },
    });
    expect(status).toBe(200);
    expect(withoutServerFields(body)).toEqual({
      schemas: [URN.user],
      userName: made.body.userName,
      title: "Boss",
      active: true,
    });
    expect(body.id).toBe(made.body.id);
    expect(body.meta).toMatchObject({ created: made.body.meta.created, location: made.body.meta.location });
    expect(body.meta.version).not.toBe(made.body.meta.version);
    expect(headers.get("etag")).toBe(body.meta.version);
  });

  it("changes nothing if the user is sent back unchanged", async () => {
    const made = await world.idp.post("/Users", userBody(WHOLE));
    const { status, body } = await world.idp.put(`/Users/${made.body.id}`, made.body);
    expect(status).toBe(200);
    expect(body).toEqual(made.body);
  });

  it("suspends and reactivates only if active is given", async () => {
    const made = await world.idp.post("/Users", userBody());
    const path = `/Users/${made.body.id}`;
    const { active: _active, ...silent } = made.body;
    expect((await world.idp.put(path, { ...silent, active: false })).body.active).toBe(false);
    expect((await world.idp.put(path, silent)).body.active).toBe(false);
    expect((await world.idp.put(path, { ...silent, active: true })).body.active).toBe(true);
    expect((await world.idp.put(path, silent)).body.active).toBe(true);
  });

  it("creates nothing, and rejects another user's name", async () => {
    const [one, two] = [
      await world.idp.post("/Users", userBody()),
      await world.idp.post("/Users", userBody()),
    ];
    expect((await world.idp.put(`/Users/${crypto.randomUUID()}`, userBody())).status).toBe(404);
    const taken = await world.idp.put(
      `/Users/${two.body.id}`,
      userBody({ userName: one.body.userName.toUpperCase() }),
    );
    expect({ status: taken.status, scimType: taken.body.scimType }).toEqual({
      status: 409,
      scimType: "uniqueness",
    });
    expect((await world.idp.put(`/Users/${two.body.id}`, userBody({ userName: undefined }))).status).toBe(
      400,
    );
    expect(
      (await world.idp.put(`/Users/${two.body.id}`, userBody({ userName: two.body.userName.toUpperCase() })))
        .status,
    ).toBe(200);
  });
});

describe("DELETE /scim/v2/Users/:id", () => {
  it("returns 204 once, then 404", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const gone = await world.idp.delete(`/Users/${body.id}`);
    expect({ status: gone.status, text: gone.text, type: gone.headers.get("content-type") }).toEqual({
      status: 204,
      text: "",
      type: "application/scim+json",
    });
    const path = `/Users/${body.id}`;
    for (const answer of [
      await world.idp.get(path),
      await world.idp.delete(path),
      await world.idp.put(path, userBody()),
      await world.idp.patch(path, patchBody()),
    ]) {
      expect({ status: answer.status, body: answer.body }).toMatchObject({
        status: 404,
        body: { status: "404", detail: expect.any(String) },
      });
    }
    const { body: list } = await world.idp.get(`/Users?filter=${encodeURIComponent(`id eq "${body.id}"`)}`);
    expect(list.totalResults).toBe(0);
  });
});

describe("a member not created by the identity provider", () => {
  it("is listed by email address and can be taken over", async () => {
    const { ctx, idp, workspaceId } = await world.another();
    const email = `hand-${word()}@example.com`;
    await ctx.db.user.create({
      data: { workspaceId, id: crypto.randomUUID(), email, name: "By Hand", role: "admin" },
    });
    const { body } = await idp.get(
      `/Users?filter=${encodeURIComponent(`userName eq "${email.toUpperCase()}"`)}`,
    );
    expect(body.Resources).toMatchObject([{ userName: email, displayName: "By Hand", active: true }]);
    expect((await idp.post("/Users", userBody({ userName: email }))).status).toBe(409);
    const left = await idp.post(
      "/Users",
      userBody({ userName: word(), emails: [{ value: email, primary: true }] }),
    );
    expect({ status: left.status, scimType: left.body.scimType }).toEqual({
      status: 409,
      scimType: "uniqueness",
    });
    const [user] = body.Resources;
    const taken = await idp.put(`/Users/${user.id}`, { ...user, userName: "hand", title: "Boss" });
    expect(taken.body).toMatchObject({ userName: "hand", title: "Boss" });
  });

  it("responds to HEAD like GET without a body", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const client = createTestClient(world.server.url, world.scimToken);
    const head = await client.send(`/scim/v2/Users/${body.id}`, { method: "HEAD" });
    expect({ status: head.status, text: head.text, etag: head.headers.get("etag") }).toEqual({
      status: 200,
      text: "",
      etag: body.meta.version,
    });
  });
});
