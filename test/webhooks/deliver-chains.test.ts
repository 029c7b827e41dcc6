import { Registry } from "prom-client";
import { expect, it, onTestFinished } from "vitest";
import { createOutbound } from "../../src/http/outbound/outbound.ts";
import { createMeasures } from "../../src/metrics/create-measures.ts";
import { deliverChains } from "../../src/webhooks/deliver-chains.ts";
import { startUpstreamServer } from "../support/upstream-server.ts";

/** Sends chains to a receiver that answers after the turn is over. */
async function deliverSlowly(chains: Parameters<typeof deliverChains>[0]) {
  const endMs = performance.now() + 300;
  const server = await startUpstreamServer((_request, response) => {
    setTimeout(() => response.writeHead(204).end(), Math.max(0, endMs - performance.now()) + 10);
  });
  const outbound = createOutbound(["127.0.0.0/8"]);
  onTestFinished(async () => {
    outbound.close();
    await server.close();
  });
  const receiver = { workspaceId: "a", isChat: false, url: server.url, secrets: ["whsec_c2VjcmV0"] };
  const { signal } = new AbortController();
  return deliverChains(chains, {
    outbound,
    receiver,
    measures: createMeasures(new Registry()),
    signal,
    endMs,
  });
}

function create(seq: number, subjectId: string = crypto.randomUUID()) {
  const eventId = crypto.randomUUID();
  return { eventId, seq, eventType: "task.created", subjectId, body: "{}", attempts: 0, dueInMs: null };
}

it("begins no other attempt at a slow receiver after its turn, and says where to go on", async () => {
  const delivered = await deliverSlowly(Array.from({ length: 20 }, (_, seq) => [create(seq)]));
  expect(delivered.records.map(({ seq, status }) => [seq, status])).toEqual(
    Array.from({ length: 8 }, (_, seq) => [seq, "delivered"]),
  );
  expect(delivered.firstUnfinished).toBe(8);
});

it("makes due what waited for those before it when the turn is over", async () => {
  const subjectId = crypto.randomUUID();
  const { records, firstUnfinished } = await deliverSlowly([[1, 2, 3].map((seq) => create(seq, subjectId))]);
  const known = records.map(({ seq, status, next_in_ms: dueInMs }) => ({ seq, status, dueInMs }));
  expect(known).toEqual([
    { seq: 1, status: "delivered", dueInMs: null },
    { seq: 2, status: "pending", dueInMs: 0 },
  ]);
  expect(firstUnfinished).toBe(2);
});
