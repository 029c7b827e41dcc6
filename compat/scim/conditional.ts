import type { Context } from "hono";
import type { ScimEnv } from "./face.ts";

/** The ETags that a write is bound to; null where it is bound to none. @see RFC 7644, 3.14. */
export function ifMatch(c: Context<ScimEnv>): string[] | null {
  const header = c.req.header("if-match");
  return header === undefined ? null : tagsOf(header);
}

/** Whether the caller has the resource as it is. @see RFC 9110, 13.1.2. */
export function isKnown(c: Context<ScimEnv>, version: string): boolean {
  const header = c.req.header("if-none-match");
  if (header === undefined) return false;
  return tagsOf(header).some((tag) => tag === "*" || opaque(tag) === opaque(version));
}

/** A comma may stand within a tag's quotes. */
function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? [];
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, "");
}
