import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp } from "../../support/test-app.ts";
import { type TestAnswer, createTestClient } from "../../support/test-client.ts";
import { readRows } from "../../support/populated-workspace.ts";
import { type AdasWorld, createAdasWorld } from "../../support/scim-ada.ts";
import {
  type Idp,
  URN,
  agentBody,
  expectScimError,
  groupBody,
  patchBody,
  userBody,
} from "../../support/scim-world.ts";

let world: AdasWorld;
let user: AdasWorld["user"];
let group: AdasWorld["group"];
let agent: { id: string };

beforeAll(async () => {
  world = await createAdasWorld();
  ({ user, group } = world);
  ({ body: agent } = await world.idp.post("/Agents", agentBody()));
});

afterAll(() => world.close());

describe("a second workspace", () => {
  it("can't see, find or change anything of the first", async () => {
    const { idp } = await world.another();
    for (const path of ["/Users", "/Groups"]) {
      expect((await idp.get(path)).body).toMatchObject({ totalResults: 0, Resources: [] });
    }
    const { body: all } = await idp.post("/.search", { schemas: [URN.search] });
    // That of its own primary key.
    expect(all).toMatchObject({ totalResults: 1, Resources: [{ agentUserName: "primary" }] });
    expect(
      (await idp.get(`/Users?filter=${encodeURIComponent(`id eq "${user.id}"`)}`)).body.totalResults,
    ).toBe(0);
    const rename = patchBody({ op: "replace", path: "displayName", value: "x" });
    for (const [path, body] of [
      [`/Users/${user.id}`, userBody()],
      [`/Groups/${group.id}`, groupBody()],
      [`/Agents/${agent.id}`, agentBody()],
    ] as const) {
      for (const answer of await everyAnswer(idp, path, { body, rename })) expectScimError(answer, 404);
    }
    const own = await idp.post("/Groups", groupBody({ members: [{ value: user.id }, { value: group.id }] }));
    expect(own.body).not.toHaveProperty("members");
    const added = await idp.patch(
      `/Groups/${own.body.id}`,
      patchBody({ op: "add", path: "members", value: [{ value: user.id }] }),
    );
    expect(added.body).not.toHaveProperty("members");
    // The same name is available there.
    expect(
      (await idp.post("/Users", userBody({ userName: user["userName"], emails: user["emails"] }))).status,
    ).toBe(201);
    expect((await world.idp.get(`/Groups/${group.id}`)).body).toEqual(group);
  });
});

/** Every route with another workspace's ids, and the expected response. */
function calls(): Record<string, [path: string, status: number, body?: unknown][]> {
  const [foreignUser, foreignGroup] = [`/Users/${user.id}`, `/Groups/${group.id}`];
  const foreignAgent = `/Agents/${agent.id}`;
  const rename = patchBody({ op: "replace", path: "displayName", value: "x" });
  const none = crypto.randomUUID();
  const found: [string, number][] = [
    [`/ResourceTypes/${none}`, 404],
    [`/Schemas/${none}`, 404],
  ];
  const bulk = [
    { method: "DELETE", path: foreignUser },
    { method: "PATCH", path: foreignGroup, data: rename },
    { method: "DELETE", path: foreignAgent },
  ];
  return {
    "GET /": [[`/?filter=${encodeURIComponent(`id eq "${user.id}"`)}`, 200]],
    "POST /.search": [
      ["/.search", 200, { schemas: [URN.search], filter: `members eq "${user.id}" or id eq "${group.id}"` }],
    ],
    "POST /Users/.search": [
      ["/Users/.search", 200, { schemas: [URN.search], filter: `groups eq "${group.id}"` }],
    ],
    "POST /Groups/.search": [
      ["/Groups/.search", 200, { schemas: [URN.search], filter: `members eq "${user.id}"` }],
    ],
    "GET /ServiceProviderConfig": [["/ServiceProviderConfig", 200]],
    "GET /ResourceTypes": [["/ResourceTypes", 200]],
    "GET /ResourceTypes/:id": found.slice(0, 1),
    "GET /Schemas": [["/Schemas", 200]],
    "GET /Schemas/:id": found.slice(1),
    "POST /Bulk": [["/Bulk", 200, { schemas: [URN.bulk], Operations: bulk }]],
    "GET /Users": [["/Users", 200]],
    "POST /Users": [["/Users", 201, userBody({ [URN.enterprise]: { manager: { value: user.id } } })]],
    "GET /Users/:id": [[foreignUser, 404]],
    "PUT /Users/:id": [[foreignUser, 404, userBody()]],
    "PATCH /Users/:id": [[foreignUser, 404, rename]],
    "DELETE /Users/:id": [[foreignUser, 404]],
    "GET /Groups": [["/Groups", 200]],
    "POST /Groups": [["/Groups", 201, groupBody({ members: [{ value: user.id }, { value: group.id }] })]],
    "GET /Groups/:id": [[foreignGroup, 404]],
    "PUT /Groups/:id": [[foreignGroup, 404, groupBody()]],
    "PATCH /Groups/:id": [[foreignGroup, 404, rename]],
    "DELETE /Groups/:id": [[foreignGroup, 404]],
    "POST /Agents/.search": [
      ["/Agents/.search", 200, { schemas: [URN.search], filter: `id eq "${agent.id}"` }],
    ],
    "GET /Agents": [["/Agents", 200]],
    "POST /Agents": [["/Agents", 201, agentBody()]],
    "GET /Agents/:id": [[foreignAgent, 404]],
    "PUT /Agents/:id": [[foreignAgent, 404, agentBody()]],
    "PATCH /Agents/:id": [[foreignAgent, 404, rename]],
    "DELETE /Agents/:id": [[foreignAgent, 404]],
  };
}

describe("a route with another workspace's ids", () => {
  it("is covered by this test", () => {
    const app = createTestApp(world.server.services);
    const own = app.routes.filter(({ method, path }) => method !== "ALL" && path.startsWith("/scim/v2"));
    const names = own.map(({ method, path }) => `${method} ${path.slice("/scim/v2".length) || "/"}`);
    expect(new Set(names)).toEqual(new Set(Object.keys(calls())));
  });

  it("reveals and changes nothing of it", async () => {
    const { idp, scimToken } = await world.another();
    const before = await readRows(world.server, world.workspaceId);
    const client = createTestClient(world.server.url, scimToken);
    const { body: found } = await idp.get("/Users");
    expect(found.totalResults).toBe(0);
    for (const [route, sent] of Object.entries(calls())) {
      const [method = ""] = route.split(" ");
      for (const [path, status, body] of sent) {
        const answer = await client.send(`/scim/v2${path}`, { method, ...(body !== undefined && { body }) });
        expect(answer.status, route).toBe(status);
        const request = `${path}${JSON.stringify(body)}`;
        for (const trace of ["Ada", "Byron", user["userName"], group["displayName"], world.workspaceId]) {
          expect(
            request.includes(String(trace)) || !answer.text.includes(String(trace)),
            `${route}: ${String(trace)}`,
          ).toBe(true);
        }
        if (path.includes(".search") || path.startsWith("/?")) expect(answer.body.totalResults).toBe(0);
      }
    }
    expect(await readRows(world.server, world.workspaceId)).toEqual(before);
  });
});

async function everyAnswer(
  idp: Idp,
  path: string,
  { body, rename }: { body: unknown; rename: unknown },
): Promise<TestAnswer[]> {
  return [
    await idp.get(path),
    await idp.put(path, body),
    await idp.patch(path, rename),
    await idp.delete(path),
  ];
}
