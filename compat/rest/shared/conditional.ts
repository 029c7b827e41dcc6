import { createHash } from "node:crypto";
import type { Context } from "hono";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import type { RestEnv } from "./rest-app.ts";
import { omitUndefined } from "./shapes.ts";

/** Lists that have a version. */
type KeptList = "MESSAGES" | "TASKS" | "EVAL_RUNS" | "AGENT_COMMANDS" | "MISSIONS";

const ListVersion = graphql(`
  query ListVersion($of: VersionedList!, $status: String) {
    listVersion(of: $of, status: $status)
  }
`);

/** Only the caller may cache the response, and must revalidate it each time. */
export const PRIVATE = { "cache-control": "private, no-cache", vary: "Authorization, Cookie" } as const;

/**
 * Responds 304 if If-None-Match names the list's current version, which takes one small query. Returns null if
 * the list has to be read.
 */
export async function answerIfUnchanged(
  c: Context<RestEnv>,
  build: string,
  list: { of: KeptList; status?: string | undefined },
): Promise<Response | null> {
  const asked = c.req.header("if-none-match");
  if (asked === undefined) return null;
  const { listVersion } = await execute(c.get("ctx"), ListVersion, omitUndefined(list));
  const headers = buildValidators(c, build, listVersion);
  return matchesTag(asked, headers.etag) ? c.body(null, 304, headers) : null;
}

/** The caching headers of a list at this version. */
export function buildValidators(c: Context<RestEnv>, build: string, version: string) {
  const { actor } = c.get("ctx");
  const asker = actor.type === "agent" ? [actor.id, ...[...actor.scopes].toSorted()].join(" ") : "";
  // The same URL may give another response to another agent (`recipient=me`), to other scopes, or from
  // another build.
  return { etag: createTag([version, getQuery(c.req.url), asker, build]), ...PRIVATE };
}

function getQuery(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start);
}

/**
 * Responds with JSON and an ETag computed from the body, or with 304 if the caller has that version. The ETag
 * of a single resource begins with its generation, which If-Match is compared with.
 */
export function answerHashed(c: Context<RestEnv>, answer: object, generation?: number): Response {
  const body = JSON.stringify(answer);
  const etag = generation === undefined ? createTag([body]) : `"${generation}.${createTag([body]).slice(1)}`;
  const headers = { etag, ...PRIVATE };
  if (matchesTag(c.req.header("if-none-match") ?? "", headers.etag)) {
    c.set("unsentBytes", Buffer.byteLength(body));
    return c.body(null, 304, headers);
  }
  return c.body(body, 200, { "content-type": "application/json", ...headers });
}

function createTag(parts: string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}

/**
 * The generations named by If-Match, as ETags or as plain numbers such as `"7"`. Undefined without If-Match or
 * for `*`. Weak or foreign tags are ignored, so the result may be empty. @see RFC 9110, 13.1.1.
 */
export function readGenerations(c: Context<RestEnv>): number[] | undefined {
  const asked = c.req.header("if-match");
  if (asked === undefined || asked.trim() === "*") return undefined;
  return asked.split(",").flatMap((tag) => {
    const generation = /^\s*"(\d{1,9})(?:\.[\w-]+)?"\s*$/.exec(tag)?.[1];
    return generation === undefined ? [] : [Number(generation)];
  });
}

/** Whether If-None-Match includes this tag. Weak comparison. @see RFC 9110, 13.1.2. */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
