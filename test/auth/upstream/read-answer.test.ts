import { expect, it } from "vitest";
import { readAnswer } from "../../../src/auth/upstream/read-answer.ts";

async function* stream(messages: readonly object[]): AsyncGenerator<Uint8Array> {
  for (const message of messages) yield Buffer.from(`data: ${JSON.stringify(message)}\n\n`);
}

it("tells once that tools have changed, however often the server says it before its answer", async () => {
  const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
  const answer = { jsonrpc: "2.0", id: 1, result: { content: [] } };
  const sent = {
    ...{ status: 200, headers: { "content-type": "text/event-stream" }, discard: () => {} },
    body: stream([...Array.from({ length: 1000 }, () => changed), answer]),
  };
  let told = 0;
  const passed: string[] = [];
  const sink = { onStream: () => {}, pass: async (text: string) => void passed.push(text) };
  const read = await readAnswer(sent, { id: 1, sink, counted: { bytes: 0 }, onToolsChanged: () => told++ });
  expect([read.kind, told, passed.length]).toEqual(["result", 1, 1000]);
});
