import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setFloorPlan } from "../../src/domain/floor-plans/set-floor-plan.ts";
import { createTestClient } from "../support/test-client.ts";
import { buildPng } from "../support/png.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><script>alert(1)</script><rect/></svg>';
const PLACE = "mapId=hall&resolution=0.05&originX=-10&originY=-4.5&originYaw=0";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

function put(body: string | Buffer, place = PLACE): [path: string, init: RequestInit] {
  const headers = { origin: world.server.url, "content-type": "application/octet-stream" };
  return [`/floor-plans?${place}`, { method: "PUT", body: new Uint8Array(Buffer.from(body)), headers }];
}

describe("PUT /floor-plans", () => {
  it("sets the plan of a map, whose image is served so that nothing in it runs", async () => {
    const operator = await world.enter("operator");
    const set = await operator.send(...put(SVG));
    expect(set.status).toBe(200);
    const { imagePath } = JSON.parse(set.text);
    const shown = await (await world.enter("viewer")).get(imagePath);
    expect(shown).toMatchObject({
      status: 200,
      text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3" width="4" height="3" preserveAspectRatio="none"><rect></rect></svg>',
    });
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "private, no-cache",
    });
    const etag = shown.headers.get("etag") ?? "";
    expect(await operator.get(imagePath, { "if-none-match": etag })).toMatchObject({ status: 304, text: "" });
    const moved = await operator.send(...put("", PLACE.replace("-10", "3")));
    expect(JSON.parse(moved.text)).toEqual({ ...JSON.parse(set.text) });
  });

  it("answers with problems that name the field", async () => {
    const operator = await world.enter("operator");
    const noImage = await operator.send(...put("plain text"));
    expect(noImage.status).toBe(422);
    expect(JSON.parse(noImage.text)).toMatchObject({ code: "validation_failed", field: "image" });
    const noNumber = await operator.send(...put(SVG, PLACE.replace("0.05", "small")));
    expect(JSON.parse(noNumber.text)).toMatchObject({ code: "validation_failed", field: "resolution" });
    const tooLarge = await operator.send(...put(Buffer.alloc(2_097_153)));
    expect(tooLarge.status).toBe(413);
  });

  it("is for operators of this site with a session", async () => {
    const viewer = await world.enter("viewer");
    expect((await viewer.send(...put(SVG))).status).toBe(403);
    const [path, init] = put(SVG);
    const operator = await world.enter("operator");
    const foreign = await operator.send(path, { ...init, headers: { origin: "https://elsewhere.example" } });
    expect(foreign.status).toBe(403);
    const bearer = createTestClient(world.server.url, world.apiKey);
    expect((await bearer.send(path, { method: "PUT" })).status).toBe(401);
    expect((await bearer.get(path)).status).toBe(401);
  });
});

describe("GET /floor-plans/{id}", () => {
  it("is not found for another workspace's people, and unknown ids", async () => {
    const { workspaceId } = await world.server.createWorkspace();
    const other = world.server.systemCtx(workspaceId);
    const place = { mapId: "x", resolution: 1, originX: 0, originY: 0, originYaw: 0 };
    const { id } = await setFloorPlan(other, { ...place, image: buildPng(2, 2) });
    const visitor = await world.enter("owner");
    for (const path of [id, "no-id", crypto.randomUUID()]) {
      expect((await visitor.get(`/floor-plans/${path}`)).status).toBe(404);
    }
  });
});
