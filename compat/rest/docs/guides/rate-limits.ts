import { html } from "hono/html";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const HEADERS = `RateLimit-Policy: "default";q=1000;w=1
RateLimit: "default";r=998;t=1`;

/** How much may be asked. */
export const RATE_LIMITS: Guide = {
  id: "rate-limits",
  title: "Rate limits",
  body: html`<p>
      A credential may send a number of requests a second: 1,000, unless whoever runs the server chose
      another. Each response says how many are allowed (<code>q</code>) in how many seconds (<code>w</code>),
      and how many are left (<code>r</code>) until when (<code>t</code>, in seconds). Large answers and costly
      GraphQL operations count as more than one.
    </p>
    ${codeBlock("Headers", HEADERS)}
    <p>
      Beyond that the answer is 429 <a href="#error-rate_limited"><code>rate_limited</code></a
      >, and nothing was done. Wait for the seconds of <code>Retry-After</code>, then repeat; with 503, too.
      The client does so by itself.
    </p>`,
};
