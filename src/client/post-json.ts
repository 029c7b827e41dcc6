import type { ClientRequest, IncomingMessage } from "node:http";

/** An answer with its whole body as text. */
export type PostAnswer = { status: number; headers: IncomingMessage["headers"]; text: string };

/** What to post, and for how long at most. */
export type PostRequest = { headers: Record<string, string>; body: string; timeoutMs: number };

const ANSWER_BYTES = 4_194_304;

/**
 * Posts JSON and follows no redirect. Loads only the module for the URL's protocol: `fetch` takes longer to start.
 *
 * @throws {Error} if there is no whole answer in time.
 */
export async function postJson(url: URL, { headers, body, timeoutMs }: PostRequest): Promise<PostAnswer> {
  const { request } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  return new Promise((resolve, reject) => {
    const bytes = Buffer.from(body);
    const sent: ClientRequest = request(url, {
      method: "POST",
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { "content-type": "application/json", "content-length": bytes.length, ...headers },
    });
    sent.on("error", (error) => reject(toReadable(error, timeoutMs)));
    sent.on("response", (answer) => {
      readText(answer).then(
        (text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
        reject,
      );
    });
    sent.end(bytes);
  });
}

async function readText(answer: IncomingMessage): Promise<string> {
  let size = 0;
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    // Without an encoding, chunks are buffers.
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > ANSWER_BYTES) throw new Error("the server's answer is too large");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toReadable(error: Error, timeoutMs: number): Error {
  if (error.name === "AbortError")
    return new Error(`the server did not answer within ${timeoutMs / 1000} seconds`);
  return new Error(
    `the server can't be reached: ${error.message || String((error as { code?: unknown }).code)}`,
  );
}
