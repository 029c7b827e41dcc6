import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Context } from "hono";
import { takesGzip } from "../../../src/http/takes-gzip.ts";
import { matchesTag } from "../shared/conditional.ts";
import type { RestEnv } from "../shared/rest-app.ts";

/** A document that is the same for everybody, in both of its encodings, each with its ETag. */
export type PublicDocument = { plain: Encoded; gzip: Encoded };
type Encoded = { bytes: Uint8Array<ArrayBuffer>; etag: string };

/** Public documents may be kept by anybody, and asked about after five minutes. */
export const PUBLIC = { "cache-control": "public, max-age=300" } as const;

/** Encodes a document, once. */
export function encodeDocument(text: string): PublicDocument {
  const digest = createHash("sha256").update(text).digest("base64url").slice(0, 27);
  return {
    plain: { bytes: new TextEncoder().encode(text), etag: `"${digest}"` },
    gzip: { bytes: new Uint8Array(gzipSync(text)), etag: `"${digest}.gzip"` },
  };
}

/**
 * Answers a public document, compressed where the caller takes gzip, or 304 where he has it. Nothing else is
 * compressed: next to text of an attacker's choice a secret's length would tell of it.
 *
 * @see https://www.breachattack.com
 */
export function answerPublic(c: Context<RestEnv>, document: PublicDocument, type: string): Response {
  const isGzip = takesGzip(c);
  const { bytes, etag } = isGzip ? document.gzip : document.plain;
  const headers = { etag, vary: "Accept-Encoding", ...PUBLIC };
  if (matchesTag(c.req.header("if-none-match") ?? "", etag)) return c.body(null, 304, headers);
  const encoding: Record<string, string> = isGzip ? { "content-encoding": "gzip" } : {};
  return c.body(bytes, 200, { "content-type": type, ...headers, ...encoding });
}
