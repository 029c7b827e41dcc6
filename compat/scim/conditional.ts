import type { Context } from "hono";
import type { ScimEnv } from "./scim-app.ts";

/** ETags of If-Match and If-None-Match; null without the header or for `*`. */
export type EtagCondition = { ifMatch: string[] | null; ifNoneMatch: string[] | null };

/** Parses a request's conditional headers. @see RFC 7644, 3.14; RFC 9110, 13.1. */
export function readCondition(c: Context<ScimEnv>): EtagCondition {
  return {
    ifMatch: parseTags(c.req.header("if-match")),
    ifNoneMatch: parseTags(c.req.header("if-none-match")),
  };
}

/** Null without the header. Tags may contain commas within their quotes. */
function parseTags(header: string | undefined): string[] | null {
  return header === undefined ? null : (header.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? []);
}
