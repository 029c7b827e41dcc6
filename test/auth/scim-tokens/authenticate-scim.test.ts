import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { rotateScimToken } from "../../../src/auth/scim-tokens/rotate-scim-token.ts";
import { createTestClient } from "../../support/test-client.ts";
import { PATIENCE } from "../../support/patience.ts";
import { type ScimWorld, createIdp, createScimWorld, expectScimError } from "../../support/scim-world.ts";

let world: ScimWorld;

beforeAll(async () => {
  world = await createScimWorld();
});

afterAll(() => world.close());

const PATHS = ["/Users", "/Groups", "/ServiceProviderConfig", "/ResourceTypes", "/Schemas"];

describe("the token", () => {
  const send = (authorization: string | null, path = "/scim/v2/Users") =>
    createTestClient(world.server.url).send(
      path,
      authorization === null ? {} : { headers: { authorization } },
    );

  it.each([...PATHS, "/nosuch", "/Users/x", "/Me", "/Bulk"])("is required for %s", async (path) => {
    const answer = await send(null, `/scim/v2${path}`);
    expectScimError(answer, 401);
    expect(answer.headers.get("www-authenticate")).toBe('Bearer realm="agent-ops"');
  });

  it.each([
    "non-token",
    "Basic YTpi",
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Bearer a b",
    "Bearer agp_x",
    `Bearer agp_${"0".repeat(49)}`,
  ])("can't be %j", async (authorization) => {
    const answer = await send(authorization);
    expectScimError(answer, 401);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer realm="agent-ops"/);
  });

  it("can't be an API key, an agent token or in the URL", async () => {
    expectScimError(await send(`Bearer ${world.apiKey}`), 401);
    expectScimError(
      await createTestClient(world.server.url).send(`/scim/v2/Users?access_token=${world.scimToken}`, {}),
      401,
    );
    const other = await createTestClient(world.server.url, world.scimToken).get("/api/v1/whoami");
    expect(other.status).toBe(401);
  });

  it("keeps working for the overlap after rotation, or ends at once without one", async () => {
    const { idp, ctx } = await world.another();
    const next = await rotateScimToken(ctx, { overlapSeconds: 3600 });
    const nextIdp = createIdp(world.server.url, next.secret);
    expect([(await idp.get("/Users")).status, (await nextIdp.get("/Users")).status]).toEqual([200, 200]);
    const last = await rotateScimToken(ctx, { overlapSeconds: 0 });
    expect([(await idp.get("/Users")).status, (await nextIdp.get("/Users")).status]).toEqual([401, 401]);
    expect((await createIdp(world.server.url, last.secret).get("/Users")).status).toBe(200);
  });

  it("records its last use to the minute", async () => {
    const { idp, workspaceId } = await world.another();
    const usedAt = async () => {
      const [row] = await world.server.database.query<{ at: Date | null }>(
        "SELECT last_used_at AS at FROM scim_token WHERE workspace_id = $1",
        [workspaceId],
      );
      return row?.at ?? null;
    };
    expect(await usedAt()).toBeNull();
    await idp.get("/Users");
    const first = await vi.waitFor(async () => {
      const at = await usedAt();
      if (at === null) throw new Error("not yet");
      return at;
    }, PATIENCE);
    await idp.get("/Users");
    expect(await usedAt()).toEqual(first);
  });

  it("expires with its overlap", async () => {
    const { idp, workspaceId } = await world.another();
    await world.server.database.query(
      "UPDATE scim_token SET expires_at = now() - interval '1 second' WHERE workspace_id = $1",
      [workspaceId],
    );
    expectScimError(await idp.get("/Users"), 401);
  });

  it("gets 403 while the workspace is suspended", async () => {
    const { idp, workspaceId } = await world.another();
    await world.server.database.query("UPDATE workspace SET suspended_at = now() WHERE id = $1", [
      workspaceId,
    ]);
    expectScimError(await idp.get("/Users"), 403);
  });
});

describe("the rate limit", () => {
  it("returns 429 in SCIM's format with Retry-After", async () => {
    const limited = await createScimWorld({ RATE_LIMIT: "3" });
    const answers = await Promise.all(Array.from({ length: 12 }, () => limited.idp.get("/Users")));
    const refused = answers.find(({ status }) => status === 429);
    await limited.close();
    if (refused === undefined) throw new Error("nobody was refused");
    expectScimError(refused, 429);
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});
