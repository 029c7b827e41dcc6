import { describe, expect, it } from "vitest";
import { readMessages } from "../../../src/auth/upstream/read-messages.ts";
import { OutboundError } from "../../../src/http/outbound/outbound-error.ts";
import { findError } from "../../support/outbound-scene.ts";

const BYTES = 4_194_304;

async function* repeat(text: string, count: number): AsyncGenerator<Uint8Array> {
  for (let left = count; left > 0; left -= 1000) yield Buffer.from(text.repeat(Math.min(left, 1000)));
}

/** Reads an answer to its end. @returns how many messages it had. */
async function readAll(type: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const answer = { status: 200, headers: { "content-type": type }, body, discard: () => {} };
  let count = 0;
  for await (const _read of readMessages(answer, BYTES)) count++;
  return count;
}

function readStream(text: string, count: number): Promise<number> {
  return readAll("text/event-stream", repeat(text, count));
}

describe("readMessages", () => {
  it("reads a stream of up to 10,000 messages", async () => {
    expect(await readStream('data:{"method":"a"}\n\n', 10_000)).toBe(10_000);
    const { reason, message } = await findError(readStream('data:{"method":"a"}\n\n', 10_001));
    expect([reason, message]).toEqual(["broken", "The server answered with more than 10000 messages."]);
  });

  it.each(["\n", ":\n", "data\n", "id:1\n"])("reads up to 200,000 lines of %j", async (line) => {
    const most = line === "data\n" ? 199_999 : 200_000;
    await expect(readStream(line, most)).resolves.toBe(0);
    expect(await findError(readStream(line, 200_001))).toMatchObject({
      reason: "too large",
      message: "The answer has more than 200000 lines.",
    });
  });

  it("parses a message with up to 100,000 members", async () => {
    const write = (members: number) =>
      `{${Array.from({ length: members }, (_, at) => `"k${at}":":"`).join()}}`;
    const read = (members: number) => readAll("application/json", repeat(write(members), 1));
    expect(await read(100_000)).toBe(1);
    const error = await findError(read(100_001));
    expect(error).toBeInstanceOf(OutboundError);
    expect(error.message).toBe("The server answered with more than 100000 members of objects in a message.");
  });
});
