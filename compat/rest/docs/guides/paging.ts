import { html } from "hono/html";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const CURL = `curl -i "$AGENT_OPS_URL/api/v1/tasks?status=failed&limit=100" \\
  -H "Authorization: Bearer $AGENT_OPS_TOKEN"
# Link: </api/v1/tasks?status=failed&limit=100&offset=100>; rel="next"`;

const LOOP = `for (let offset = 0; ; ) {
  const page = await client.send("GET /tasks", { query: { status: "failed", limit: 100, offset } });
  for (const task of page.tasks) console.log(task.title);
  const { next_offset: next } = page.pagination;
  if (next === null) break;
  offset = next;
}`;

/** How lists go on. */
export const PAGING: Guide = {
  id: "paging",
  title: "Paging",
  body: html`<p>
      Lists are newest first and take <code>limit</code> and <code>offset</code>. Go on with
      <code>pagination.next_offset</code>, or the <code>Link</code> header's <code>next</code>, until there is
      none: a page of large items is cut at about 4 MiB and may have fewer than <code>limit</code>.
      <code>count</code> is the number of items in the page, <code>pagination.total</code> that of all, or
      null for more than 10,000 matches of a filter.
    </p>
    ${codeBlock("curl", CURL, "curl")} ${codeBlock("TypeScript", LOOP, "typescript")}
    <p>
      Some lists go on by what they answer instead: events by <code>next_after</code>, traces also by
      <code>next_cursor</code>, commands by <code>before</code>.
    </p>
    <p>
      To poll, send the <code>ETag</code> of the last answer as <code>If-None-Match</code>: what has not
      changed is answered 304 without a body. Reads with <code>wait</code> hold the request for up to that
      many seconds until something changes.
    </p>`,
};
