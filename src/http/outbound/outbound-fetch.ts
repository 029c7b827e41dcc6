import type { IncomingHttpHeaders } from "node:http";
import type { OutboundLimits } from "./exchange.ts";
import type { Outbound } from "./outbound.ts";
import { OutboundError } from "./outbound-error.ts";

/** What libraries pass to the `fetch` that they are given, as far as it is served. */
export type OutboundFetch = (
  url: string | URL,
  request?: {
    method?: string;
    headers?: HeadersInit;
    body?: unknown;
    signal?: AbortSignal | null | undefined;
  },
) => Promise<Response>;

/** Statuses whose answers have no body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * Makes a `fetch` for libraries that send their own requests, such as those of identity providers. A redirect is an
 * answer like any other. Bodies are text; the answer is read to its end.
 *
 * @returns a function that throws an {@link OutboundError}.
 */
export function createOutboundFetch(outbound: Outbound, limits: Partial<OutboundLimits>): OutboundFetch {
  return async (url, { method = "GET", headers, body, signal } = {}) => {
    if (method !== "GET" && method !== "POST") throw new TypeError(`${method} is not sent`);
    const text = body instanceof URLSearchParams ? body.toString() : (body ?? undefined);
    if (text !== undefined && typeof text !== "string") throw new TypeError("a body must be text");
    const answer = await outbound.send(String(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      limits,
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    });
    if (answer.status < 200 || answer.status > 599) {
      answer.discard();
      throw new OutboundError("broken", `The server answered with the status ${answer.status}.`, true);
    }
    const parts: Uint8Array[] = [];
    for await (const part of answer.body) parts.push(part);
    return new Response(EMPTY.has(answer.status) ? null : Buffer.concat(parts), {
      status: answer.status,
      headers: toHeaders(answer.headers),
    });
  };
}

function toHeaders(received: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received)) {
    for (const one of [value ?? []].flat()) headers.append(name, one);
  }
  return headers;
}
