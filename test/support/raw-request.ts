import { type IncomingMessage, request } from "node:http";
import type { TestAnswer } from "./test-client.ts";

/** What is sent as it is: fetch would mend or refuse much of it. */
export type RawRequest = {
  method?: string;
  path: string;
  /** A value that is a list is sent as that many header lines. */
  headers?: Record<string, string | string[]>;
  body?: Uint8Array | string;
};

/** Sends a request over a connection of its own, as it is. */
export async function sendRaw(
  url: string,
  { method = "GET", path, headers = {}, body }: RawRequest,
): Promise<TestAnswer> {
  const { hostname, port } = new URL(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Node announces the length of a body only with the methods that it expects one with.
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
