import { createHash } from "node:crypto";
import type { Context } from "hono";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import type { RestEnv } from "./rest-app.ts";
import { omitUndefined } from "./shapes.ts";

/** The lists whose versions are kept. */
type KeptList = "MESSAGES" | "TASKS" | "EVAL_RUNS" | "AGENT_COMMANDS" | "MISSIONS";

const ListVersion = graphql(`
  query ListVersion($of: VersionedList!, $status: String) {
    listVersion(of: $of, status: $status)
  }
`);

/** Answers may be kept by the caller, and by nobody else, and must be asked about each time. */
const PRIVATE = { "cache-control": "private, no-cache", vary: "Authorization, Cookie" } as const;

/**
 * Answers 304 where the caller's If-None-Match names the list as it is: that costs one read of the list's
 * version, and nothing of the list. Null where the list has to be read.
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

/** The headers of a list that is of this version. */
export function buildValidators(c: Context<RestEnv>, build: string, version: string) {
  const { actor } = c.get("ctx");
  const asker = actor.type === "agent" ? [actor.id, ...[...actor.scopes].toSorted()].join(" ") : "";
  // The same address may be answered differently to another agent, such as for `recipient=me`, to other
  // scopes, or by another build of the service.
  return { etag: createTag([version, getQuery(c.req.url), asker, build]), ...PRIVATE };
}

function getQuery(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start);
}

/**
 * Answers JSON without a kept version under the hash of its body, or 304 where the caller has that. The
 * tag of one thing begins with its generation, which If-Match is held against.
 */
export function answerHashed(c: Context<RestEnv>, answer: object, generation?: number): Response {
  const body = JSON.stringify(answer);
  const etag = generation === undefined ? createTag([body]) : `"${generation}.${createTag([body]).slice(1)}`;
  const headers = { etag, ...PRIVATE };
  if (matchesTag(c.req.header("if-none-match") ?? "", headers.etag)) return c.body(null, 304, headers);
  return c.body(body, 200, { "content-type": "application/json", ...headers });
}

function createTag(parts: string[]): string {
  return `"${createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 27)}"`;
}

/**
 * The generations that an If-Match names, by their ETags or bare, such as `"7"`; undefined for no If-Match
 * and for `*`, which any generation is. A weak tag, or another thing's, names none. @see RFC 9110, 13.1.1.
 */
export function readGenerations(c: Context<RestEnv>): number[] | undefined {
  const asked = c.req.header("if-match");
  if (asked === undefined || asked.trim() === "*") return undefined;
  return asked.split(",").flatMap((tag) => {
    const generation = /^\s*"(\d{1,9})(?:\.[\w-]+)?"\s*$/.exec(tag)?.[1];
    return generation === undefined ? [] : [Number(generation)];
  });
}

/** Whether an If-None-Match names this tag; weak tags count, as a GET may. @see RFC 9110, 13.1.2. */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
