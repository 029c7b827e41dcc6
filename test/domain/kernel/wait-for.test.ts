import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { waitFor } from "../../../src/domain/kernel/wait-for.ts";
import { createTask } from "../../../src/domain/tasks/create-task.ts";
import { createTestClient } from "../../support/test-client.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { createWorld } from "../../support/test-world.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
});

afterAll(() => server.close());

describe("waitFor", () => {
  it("checks at once, and doesn't wait if there is something", async () => {
    expect(await waitFor(ctx, { seconds: 0 }, async () => "there")).toBe("there");
    expect(await waitFor(ctx, { seconds: 0 }, async () => null)).toBeNull();
  });

  it("checks again with every event, also one between check and wait", async () => {
    let looks = 0;
    const seen = await waitFor(ctx, { seconds: 20 }, async () => {
      looks++;
      if (looks < 4) await insertTestAgent(ctx);
      return looks === 4 ? "seen" : null;
    });
    expect([seen, looks]).toEqual(["seen", 4]);
  });

  it("checks once a second without events, and gives up in time", async () => {
    const looks: number[] = [];
    const started = performance.now();
    const seen = await waitFor(ctx, { seconds: 4 }, async () => {
      looks.push(performance.now() - started);
      return null;
    });
    expect(seen).toBeNull();
    expect(looks.length).toBeGreaterThanOrEqual(3);
    expect(performance.now() - started).toBeGreaterThanOrEqual(3990);
  });

  it("checks once, and doesn't wait, if the client has gone already", { timeout: 20_000 }, async () => {
    let looks = 0;
    const gone = Object.assign(server.systemCtx(ctx.workspaceId), { signal: AbortSignal.abort() });
    const look = async () => {
      looks++;
      return null;
    };
    expect(await waitFor(gone, { seconds: 3600, everyMs: 3_600_000 }, look)).toBeNull();
    expect(looks).toBe(1);
  });

  it("ignores events of no concern", async () => {
    let looks = 0;
    const concerns = ({ type }: { type: string }) => type === "task.created";
    const seen = await waitFor(ctx, { seconds: 20, everyMs: 3_600_000, concerns }, async () => {
      looks++;
      if (looks > 1) return "seen";
      for (let made = 0; made < 3; made++) await insertTestAgent(ctx);
      await createTask(ctx, { title: "Of concern" });
      return null;
    });
    expect([seen, looks]).toEqual(["seen", 2]);
  });

  it("ends when the server stops", async () => {
    const world = await createWorld();
    const waiting = createTestClient(world.server.url, world.apiKey).post("/api/v1/tasks/claim", {
      wait: 25,
    });
    await world.server.database.query("SELECT 1");
    const started = performance.now();
    await world.server.close();
    expect([204, 401, 503]).toContain((await waiting).status);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
