import { describe, expect, it, onTestFinished } from "vitest";
import { createOutbound } from "../../src/http/outbound/outbound.ts";
import { attemptDelivery } from "../../src/webhooks/attempt-delivery.ts";
import { countLoopTurns, keepBusy } from "../support/loop-turns.ts";
import { startUpstreamServer } from "../support/upstream-server.ts";

describe("attemptDelivery", () => {
  it("begins in turns of the event loop, in which workspaces take turns", async () => {
    const server = await startUpstreamServer((_request, response) => response.writeHead(204).end());
    const outbound = createOutbound(["127.0.0.0/8"]);
    const turns = countLoopTurns();
    onTestFinished(async () => {
      turns.stop();
      outbound.close();
      await server.close();
    });
    const begun: [string, number][] = [];
    const attempts = Array.from({ length: 21 }, (_, at) => {
      const workspaceId = at < 20 ? "a" : "b";
      const receiver = {
        ...{ workspaceId, isChat: false, url: server.url },
        get secrets() {
          keepBusy(2);
          begun.push([workspaceId, turns.current()]);
          return ["whsec_c2VjcmV0"];
        },
      };
      const { signal } = new AbortController();
      return attemptDelivery(outbound, receiver, { id: crypto.randomUUID(), body: "{}", signal });
    });
    const outcomes = (await Promise.all(attempts)).map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(["delivered"]));
    expect(new Set(begun.map(([, turn]) => turn)).size).toBeGreaterThan(3);
    expect(begun.findIndex(([workspaceId]) => workspaceId === "b")).toBeLessThan(3);
  });
});
