import { expect, it, onTestFinished } from "vitest";
import { createOutbound } from "../../src/http/outbound/outbound.ts";
import { deliverChains } from "../../src/webhooks/deliver-chains.ts";
import { startUpstreamServer } from "../support/upstream-server.ts";

it("begins no other attempt at a slow receiver after its turn, and says where to go on", async () => {
  const endMs = performance.now() + 300;
  const server = await startUpstreamServer((_request, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.max(0, endMs - performance.now()) + 10);
  });
  const outbound = createOutbound(["127.0.0.0/8"]);
  onTestFinished(async () => {
    outbound.close();
    await server.close();
  });
  const chains = Array.from({ length: 20 }, (_, seq) => [
    {
      ...{ eventId: crypto.randomUUID(), seq, eventType: "task.created", subjectId: crypto.randomUUID() },
      ...{ body: "{}", attempts: 0, dueInMs: null },
    },
  ]);
  const receiver = { workspaceId: "a", isChat: false, url: server.url, secrets: ["whsec_c2VjcmV0"] };
  const { signal } = new AbortController();
  const delivered = await deliverChains(chains, { outbound, receiver, signal, endMs });
  expect(delivered.records.map(({ seq, status }) => [seq, status])).toEqual(
    Array.from({ length: 8 }, (_, seq) => [seq, "delivered"]),
  );
  expect(delivered.firstUnfinished).toBe(8);
});
