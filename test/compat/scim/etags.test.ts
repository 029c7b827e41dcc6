import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ScimWorld,
  URN,
  createScimWorld,
  expectScimError,
  groupBody,
  patchBody,
  userBody,
} from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

describe("an ETag", () => {
  it("returns 304 until the user changes", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const path = `/Users/${body.id}`;
    const { version } = body.meta;
    for (const tag of [version, `"x", ${version}`, version.replace("W/", ""), "*"]) {
      const same = await world.idp.get(path, { "if-none-match": tag });
      expect({ status: same.status, text: same.text }).toEqual({ status: 304, text: "" });
      expect(pickHeaders(same.headers)).toEqual(pickHeaders((await world.idp.get(path)).headers));
      expect(same.headers.get("etag")).toBe(version);
    }
    await world.idp.patch(path, patchBody({ op: "replace", path: "title", value: "x" }));
    expect((await world.idp.get(path, { "if-none-match": version })).status).toBe(200);
  });

  it.each(["put", "patch", "delete"] as const)("limits a %s to the given version", async (method) => {
    const { body } = await world.idp.post("/Users", userBody());
    const path = `/Users/${body.id}`;
    const send = (tag: string) => {
      const headers = { "if-match": tag };
      if (method === "delete") return world.idp.delete(path, headers);
      const sent =
        method === "put" ? { ...body, title: tag } : patchBody({ op: "replace", path: "title", value: tag });
      return world.idp[method](path, sent, headers);
    };
    const stale = await send('W/"stale"');
    expect({ status: stale.status, body: stale.body }).toMatchObject({
      status: 412,
      body: { schemas: [URN.error], status: "412" },
    });
    expect((await world.idp.get(path)).body).toEqual(body);
    expect((await send(body.meta.version)).status).toBe(method === "delete" ? 204 : 200);
    expect((await send(body.meta.version)).status).toBe(method === "delete" ? 404 : 412);
    expect((await send("*")).status).toBe(method === "delete" ? 404 : 200);
  });

  it.each(["put", "patch", "delete"] as const)("prevents a %s of the excluded version", async (method) => {
    const { body } = await world.idp.post("/Users", userBody());
    const path = `/Users/${body.id}`;
    const send = (tag: string) => {
      const headers = { "if-none-match": tag };
      if (method === "delete") return world.idp.delete(path, headers);
      return world.idp[method](path, method === "put" ? body : patchBody(), headers);
    };
    for (const tag of ["*", body.meta.version, `"x", ${body.meta.version}`]) {
      expectScimError(await send(tag), 412);
    }
    expect((await world.idp.get(path)).body).toEqual(body);
    expect((await send('W/"another"')).status).toBe(method === "delete" ? 204 : 200);
  });

  it("applies to writes of groups", async () => {
    const { body } = await world.idp.post("/Groups", groupBody());
    const path = `/Groups/${body.id}`;
    const current = { "if-none-match": body.meta.version };
    expect((await world.idp.get(path, current)).status).toBe(304);
    expectScimError(await world.idp.put(path, body, current), 412);
    expectScimError(await world.idp.patch(path, patchBody(), { "if-match": 'W/"stale"' }), 412);
    expectScimError(await world.idp.delete(path, { "if-none-match": "*" }), 412);
    expect((await world.idp.delete(path, { "if-match": body.meta.version })).status).toBe(204);
  });

  it("applies to GET", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const path = `/Users/${body.id}`;
    expectScimError(await world.idp.get(path, { "if-match": 'W/"stale"' }), 412);
    expect((await world.idp.get(path, { "if-match": body.meta.version })).body).toEqual(body);
  });

  it("changes with the user's groups", async () => {
    const { body } = await world.idp.post("/Users", userBody());
    const group = await world.idp.post("/Groups", {
      schemas: [URN.group],
      displayName: "G",
      members: [{ value: body.id }],
    });
    const path = `/Users/${body.id}`;
    const inGroup = await world.idp.get(path, { "if-none-match": body.meta.version });
    expect(inGroup.status).toBe(200);
    expect(inGroup.body.groups).toEqual([
      { value: group.body.id, $ref: group.body.meta.location, display: "G", type: "direct" },
    ]);
    await world.idp.patch(
      `/Groups/${group.body.id}`,
      patchBody({ op: "replace", path: "displayName", value: "H" }),
    );
    expect(
      (await world.idp.get(path, { "if-none-match": inGroup.body.meta.version })).body.groups[0].display,
    ).toBe("H");
  });
});

/** Headers that a 304 must have like a 200. @see RFC 9110, 15.4.5. */
function pickHeaders(headers: Headers): Record<string, string | null> {
  const names = ["etag", "location", "content-location", "cache-control", "vary"];
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}
