import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { waitFor } from "../../../src/domain/kernel/wait-for.ts";
import { withWait } from "../../../src/domain/kernel/with-wait.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** Contexts of agents of a new workspace, each with a credential of its own. */
async function openAgents(): Promise<() => Ctx> {
  const { workspaceId } = await server.createWorkspace();
  return () => agentCtx(server, { id: crypto.randomUUID(), workspaceId });
}

/** Lets others of the workspace wait. @returns a function that ends it. */
function enter(open: () => Ctx, count: number, canHold = false): () => void {
  const waits = Array.from({ length: count }, () => {
    const ctx = Object.assign(open(), { canHold });
    return ctx.services.live.enterWait(ctx);
  });
  return () => {
    for (const { leave } of waits) leave();
  };
}

describe("waitFor", () => {
  it("looks more rarely the more requests of the workspace wait", async () => {
    const open = await openAgents();
    const leave = enter(open, 100);
    let looks = 0;
    await waitFor(open(), { seconds: 1, everyMs: 10 }, async () => {
      looks++;
      return null;
    });
    leave();
    expect(looks).toBeGreaterThan(1);
    expect(looks).toBeLessThan(6);
  });
});

describe("withWait", () => {
  it.each([
    ["waiting requests", LIMITS.waitsPerNode, false],
    ["held calls", LIMITS.heldPerNode, true],
  ])("accepts as many %s of a workspace as remain for others", async (_what, most, canHold) => {
    const [open, openOther] = [await openAgents(), await openAgents()];
    const wait = (ctx: Ctx) => withWait(Object.assign(ctx, { canHold }), () => Promise.resolve("over"));
    const leave = enter(open, most / 2, canHold);
    await expect(wait(open())).rejects.toMatchObject({ code: "rate_limited" });
    expect(await wait(openOther())).toBe("over");
    leave();
    expect(await wait(open())).toBe("over");
  });
});
