import type { Context } from "hono";
import type { RestEnv } from "./rest-app.ts";
import { streamChunks } from "./stream-chunks.ts";

/** A page of a whole list, in the shape of the API. */
export type WholeListPage = {
  rows: readonly object[];
  /** The cursor of the next page; null for the last page. */
  next: string | null;
};

type WholeList = {
  /** The response's property. */
  name: string;
  first: WholeListPage;
  readPage: (after: string) => Promise<WholeListPage>;
  headers: Record<string, string>;
};

/**
 * Responds with a whole list, however long. A page is read when the client has taken the one before it, so that
 * only one is held in memory. If a page can't be read, the connection is closed.
 */
export function streamWholeList(c: Context<RestEnv>, list: WholeList): Response {
  const headers = { "content-type": "application/json", ...list.headers };
  return c.body(streamChunks(c, writePages(list)), 200, headers);
}

/** Returns the cursor after a page; null for the last page. */
export function getNextCursor({
  hasNextPage,
  endCursor,
}: {
  hasNextPage: boolean;
  endCursor: string | null;
}): string | null {
  return hasNextPage ? endCursor : null;
}

async function* writePages({ name, first, readPage }: WholeList): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(`{${JSON.stringify(name)}:[${writeRows(first)}`);
  for (let { next } = first; next !== null;) {
    const page = await readPage(next);
    if (page.rows.length > 0) yield Buffer.from(`,${writeRows(page)}`);
    ({ next } = page);
  }
  yield Buffer.from("]}");
}

function writeRows({ rows }: WholeListPage): string {
  return rows.map((row) => JSON.stringify(row)).join(",");
}
