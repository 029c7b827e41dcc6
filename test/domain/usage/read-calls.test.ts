import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Statement } from "../../../src/db/sql.ts";
import { toTraceUuid } from "../../../src/domain/traces/trace-ids.ts";
import { READ_CALLS } from "../../../src/domain/usage/call-statements.ts";
import { ADD_TO_TRACES } from "../../../src/domain/usage/span-usage-statements.ts";
import { countBlocks, type PlanNode } from "../../support/explain-list.ts";
import { newSpanId, newTraceId } from "../../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { type TraceScene, createCallSpan, createTraceScene, sendSpans } from "../../support/trace-scene.ts";

const CALLS = 500;
const REQUESTS = 8;

let server: QuietServices;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

it("calls are looked up one by one, however many the sender has sent, also without statistics", async () => {
  const { workspaceId, agent, agentId } = await createTraceScene(server);
  const { traceId, names } = await sendCalls(agent);
  const traceIds = names.map(() => traceId);
  const read = await explain(READ_CALLS, [workspaceId, agentId, "span", traceIds, names, []]);
  expect(read).toMatchObject({ "Actual Rows": CALLS });
  expect(countBlocks(read)).toBeLessThan(CALLS * 10);
});

describe("with statistics of others", () => {
  let scene: TraceScene;
  let sent: SentCalls;

  beforeAll(async () => {
    await sendCalls((await createTraceScene(server)).agent);
    await server.database.query("ANALYZE usage_call, trace");
    scene = await createTraceScene(server);
    sent = await sendCalls(scene.agent);
  });

  it("sums are added to traces that are looked up one by one", async () => {
    const id = toTraceUuid(sent.traceId);
    const added = await explain(ADD_TO_TRACES, [scene.workspaceId, [id], ["[]"], [0], [0], [0], ["0"], [0]]);
    expect(countBlocks(added)).toBeLessThan(100);
  });
});

type SentCalls = { traceId: string; names: string[] };

/** Sends many calls, each request with a trace of its own and others of one call. @returns the last ones of one trace. */
async function sendCalls(agent: TraceScene["agent"]): Promise<SentCalls> {
  const traceId = newTraceId();
  let names: string[] = [];
  for (let request = 0; request < REQUESTS; request++) {
    names = Array.from({ length: CALLS }, newSpanId);
    const spans = names.map((spanId) => createCallSpan({ model: "a", input: 1 }, { traceId, spanId }));
    const others = names.map((spanId) =>
      createCallSpan({ model: "a", input: 1 }, { traceId: newTraceId(), spanId }),
    );
    await sendSpans(agent, [...spans, ...others]);
  }
  return { traceId, names };
}

async function explain({ text }: Statement, values: unknown[]): Promise<PlanNode> {
  const [row] = await server.database.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  );
  if (row === undefined) throw new Error("there is no plan");
  return row["QUERY PLAN"][0].Plan;
}
