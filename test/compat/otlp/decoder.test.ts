import { describe, expect, it } from "vitest";
import { createDecoder } from "../../../compat/otlp/decoder.ts";
import type { TelemetryBatch } from "../../../src/domain/traces/telemetry.ts";
import { createReadOptions } from "../../support/read-options.ts";
import { countLoopTurns } from "../../support/loop-turns.ts";
import { createRequest, createSpan, newTraceId, textAttribute, toProtobuf } from "../../support/otlp.ts";

const traceId = newTraceId();

function createBody(spans: number, length = 0): Uint8Array<ArrayBuffer> {
  const attributes = [textAttribute("a", "x".repeat(length))];
  return toProtobuf(createRequest(Array.from({ length: spans }, () => createSpan({ traceId, attributes }))));
}

const SMALL = createBody(3000);
/** Read in a thread. */
const LARGE = createBody(10, 30_000);
/** Read in a thread for long: it has many spans. */
const SLOW = createBody(40_000);

const usual = createDecoder({ all: 10 * SLOW.length, workspace: SLOW.length });

async function decodeFor(
  workspaceId: string,
  bytes: Uint8Array,
  { decode } = usual,
): Promise<TelemetryBatch> {
  const options = createReadOptions({ workspaceId });
  return decode({ bytes: new Uint8Array(bytes), signal: "traces", encoding: "protobuf", options });
}

describe("the decoder of telemetry", () => {
  it("lets others work while it reads a small body of many spans", async () => {
    const turns = countLoopTurns();
    const { spans } = await decodeFor("one", SMALL);
    turns.stop();
    expect(spans).toHaveLength(3000);
    expect(turns.current()).toBeGreaterThan(5);
  });

  it("reads a large body of a workspace before the further ones of another", async () => {
    const ended: string[] = [];
    async function read(workspaceId: string): Promise<void> {
      await decodeFor(workspaceId, LARGE);
      ended.push(workspaceId);
    }
    await Promise.all([read("first"), read("first"), read("first"), read("other")]);
    expect(ended.indexOf("other")).toBeLessThan(2);
  });

  it("reads a body while it reads one of another workspace that takes long", async () => {
    const ended: string[] = [];
    async function read(workspaceId: string, body: Uint8Array): Promise<void> {
      await decodeFor(workspaceId, body);
      ended.push(workspaceId);
    }
    await Promise.all([read("slow", SLOW), read("other", LARGE)]);
    expect(ended).toEqual(["other", "slow"]);
  });

  it("refuses large bodies of a workspace of which too many wait, and of no other", async () => {
    const few = createDecoder({ all: 10 * LARGE.length, workspace: 3 * LARGE.length });
    const flood = Promise.allSettled(Array.from({ length: 8 }, () => decodeFor("flooding", LARGE, few)));
    expect((await decodeFor("other", LARGE, few)).spans).toHaveLength(10);
    const refused = (await flood).filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(4);
    expect(refused[0]).toMatchObject({ reason: { code: "unavailable" } });
  });
});
