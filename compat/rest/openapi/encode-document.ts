import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Context } from "hono";
import { takesGzip } from "../../../src/http/takes-gzip.ts";
import { matchesTag } from "../shared/conditional.ts";
import type { RestEnv } from "../shared/rest-app.ts";

/** A document that is the same for every caller, plain and gzipped, each with its ETag. */
export type PublicDocument = { plain: Encoded; gzip: Encoded };
type Encoded = { bytes: Uint8Array<ArrayBuffer>; etag: string };

/** Public documents may be cached by anyone for five minutes. */
const PUBLIC = { "cache-control": "public, max-age=300" } as const;

export function encodeDocument(text: string): PublicDocument {
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 27);
  return {
    plain: { bytes: new TextEncoder().encode(text), etag: `"${digest}"` },
    gzip: { bytes: new Uint8Array(gzipSync(text)), etag: `"${digest}.gzip"` },
  };
}

/** How a document is sent: its media type and, if it is a page, its content security policy. */
type Sent = { type: string; policy?: string };

/**
 * Responds with a public document: gzipped if the caller accepts it, or 304 if it is unchanged. No other response
 * is compressed: next to text chosen by an attacker, the length would reveal secrets.
 *
 * @see https://www.breachattack.com
 */
export function answerPublic(c: Context<RestEnv>, document: PublicDocument, sent: Sent): Response {
  const isGzip = takesGzip(c);
  const { bytes, etag } = isGzip ? document.gzip : document.plain;
  const { type, policy } = sent;
  const headers = {
    etag,
    vary: "Accept-Encoding",
    ...PUBLIC,
    ...(policy !== undefined && { "content-security-policy": policy, "referrer-policy": "strict-origin" }),
  };
  if (matchesTag(c.req.header("if-none-match") ?? "", etag)) return c.body(null, 304, headers);
  const encoding: Record<string, string> = isGzip ? { "content-encoding": "gzip" } : {};
  return c.body(bytes, 200, { "content-type": type, ...headers, ...encoding });
}
