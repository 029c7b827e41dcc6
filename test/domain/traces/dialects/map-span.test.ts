import { describe, expect, it } from "vitest";
import { mapSpan } from "../../../../src/domain/traces/dialects/map-span.ts";
import { tokenCounts } from "../../../support/token-counts.ts";
import { CODING_AGENTS } from "./coding-agents.ts";
import { SENT } from "./senders.ts";
import { toSpan } from "./sent-case.ts";

function mapGenAi(attributes: Record<string, unknown>) {
  return mapSpan(toSpan({ attributes: { "gen_ai.operation.name": "chat", ...attributes } }));
}

describe("mapSpan", () => {
  it.each([...SENT, ...CODING_AGENTS])(
    "reads $sender",
    ({ span, says: { tokens, costPico = null, taskId = null, ...said } }) => {
      const links = {
        missionId: null,
        commandId: null,
        evalRunId: null,
        reservationId: null,
        evalItemKey: null,
      };
      expect(mapSpan(toSpan(span))).toEqual({
        ...{ usageRole: "none", provider: null, model: null, responseId: null, requestId: null },
        ...{ conversation: null, agent: null, toolName: null, links: { ...links, taskId } },
        usage: tokens === undefined ? null : { tokens: tokenCounts(tokens), costPico, isRejected: false },
        ...said,
      });
    },
  );

  it("takes more cached tokens than input for input without them, and no others", () => {
    const usage = (input: number, read: number) =>
      mapGenAi({ "gen_ai.usage.input_tokens": input, "gen_ai.usage.cache_read.input_tokens": read }).usage;
    expect(usage(100, 100)).toMatchObject({ tokens: { input: 100n }, isRejected: false });
    expect(usage(100, 101)).toMatchObject({ tokens: { input: 201n }, isRejected: false });
  });

  it("keeps parts that are more than their whole", () => {
    const attributes = { "gen_ai.usage.output_tokens": 1, "gen_ai.usage.reasoning_tokens": 2 };
    expect(mapGenAi(attributes)).toMatchObject({
      ...{ usageRole: "leaf", usage: { tokens: { output: 1n, reasoning: 2n }, isRejected: false } },
    });
    const codex = { "gen_ai.usage.input_tokens": 1, "gen_ai.usage.cache_read.input_tokens": 2 };
    const { usage } = mapSpan(toSpan({ scope: "codex", name: "handle_responses", attributes: codex }));
    expect(usage).toMatchObject({ tokens: { input: 1n, cacheRead: 2n }, isRejected: false });
  });

  it.each([
    ...[
      -1,
      "-1",
      1.5,
      "NaN",
      Number.NaN,
      Infinity,
      "9223372036854775807",
      2 ** 63,
      1e300,
      "1e300",
      "many",
    ].map((value) => ({ "gen_ai.usage.output_tokens": value })),
    ...[-1, "-0.1", "NaN", "Infinity", 1e300, 1_000_001].map((value) => ({ "gen_ai.usage.cost": value })),
  ])("counts nothing of a call with %j", (attributes) => {
    expect(mapGenAi({ "gen_ai.usage.input_tokens": 5, ...attributes })).toMatchObject({
      op: "llm",
      usageRole: "none",
      usage: { tokens: tokenCounts({}), costPico: null, isRejected: true },
    });
  });

  it.each([
    [0, 0n],
    [0.1, 100_000_000_000n],
    [1e-12, 1n],
    ["0.000350", 350_000_000n],
    [1_000_000, 1_000_000_000_000_000_000n],
    [123.456789012345, 123_456_789_012_345n],
  ])("reads a cost of %s dollars to the pico-dollar", (cost, pico) => {
    expect(mapGenAi({ "gen_ai.usage.cost": cost }).usage).toMatchObject({ costPico: pico });
  });

  it("links nothing by what is no id, and a span's own link before its resource's", () => {
    const [task, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const map = (attributes: Record<string, unknown>) =>
      mapSpan(toSpan({ attributes, resource: { "aos.task_id": other } })).links.taskId;
    expect(map({ "aos.task_id": task })).toBe(task);
    expect(map({ "metadata.aos.task_id": task })).toBe(other);
    expect(map({ "aos.task_id": "1" })).toBeNull();
    expect(map({ "aos.task_id": 7 })).toBeNull();
  });

  it("takes names of attributes as they are", () => {
    const metadata = '{"__proto__":{"aos.task_id":"x"},"constructor":1}';
    const attributes = [
      ["__proto__", 1],
      ["constructor", "gen_ai."],
      ["metadata", metadata],
    ] as const;
    expect(mapSpan({ scope: "constructor", name: "toString", attributes, resource: [] })).toMatchObject({
      ...{ dialect: "plain", op: "other", usage: null },
    });
  });
});
