import type { Context } from "hono";
import type { ScimEnv } from "./scim-app.ts";

/** ETags that a resource must have one of, and those that it must have none of; null for any. */
export type EtagCondition = { ifMatch: string[] | null; ifNoneMatch: string[] | null };

/** Reads the ETags that a request is bound to. @see RFC 7644, 3.14; RFC 9110, 13.1. */
export function readCondition(c: Context<ScimEnv>): EtagCondition {
  return {
    ifMatch: parseTags(c.req.header("if-match")),
    ifNoneMatch: parseTags(c.req.header("if-none-match")),
  };
}

/** Null where there is no such header. A comma may stand within a tag's quotes. */
function parseTags(header: string | undefined): string[] | null {
  return header === undefined ? null : (header.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? []);
}
