import { type IncomingMessage, request } from "node:http";
import type { TestAnswer } from "./test-client.ts";

/** Raw requests: fetch would correct or reject many of them. */
export type RawRequest = {
  method?: string;
  path: string;
  /** A list as value is sent as several header lines. */
  headers?: Record<string, string | string[]>;
  body?: Uint8Array | string;
};

/** Sends a raw request on its own connection. */
export async function sendRaw(
  url: string,
  { method = "GET", path, headers = {}, body }: RawRequest,
): Promise<TestAnswer> {
  const { hostname, port } = new URL(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Node sends Content-Length only with methods that usually have a body.
    const length =
      body === undefined || "transfer-encoding" in headers
        ? {}
        : { "content-length": Buffer.byteLength(body) };
    const sent = request(
      { hostname, port, method, path, headers: { ...headers, ...length }, agent: false },
      resolve,
    );
    sent.once("error", reject);
    sent.end(body);
  });
  const text = Buffer.concat(await response.toArray()).toString();
  const received = new Headers();
  for (const [name, value] of Object.entries(response.headers)) received.set(name, [value].flat().join(", "));
  return { status: response.statusCode ?? 0, headers: received, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
