import { html } from "hono/html";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const CURL = `curl -X POST "$AGENT_OPS_URL/api/v1/tasks" \\
  -H "Authorization: Bearer $AGENT_OPS_TOKEN" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: refund-42" \\
  -d '{ "title": "Refund order 42", "queue": "billing" }'`;

const CLIENT = `await client.send("POST /tasks", {
  body: { title: "Refund order 42", queue: "billing" },
  // Without one, the client makes a key that covers the retries of this call.
  idempotencyKey: "refund-42",
});`;

/** How to repeat a request safely. */
export const IDEMPOTENCY: Guide = {
  id: "idempotency",
  title: "Idempotency",
  body: html`<p>
      A request whose answer was lost can be sent again. Routes that create something take an
      <code>Idempotency-Key</code> of your choice, of 1 to 255 visible ASCII characters: within 24 hours, the
      same key with the same request creates nothing a second time and is answered with what the first one
      created. All access tokens of an agent share their keys.
    </p>
    ${codeBlock("curl", CURL, "curl")} ${codeBlock("TypeScript", CLIENT, "typescript")}
    <p>
      The same key with another request is 422
      <a href="#error-idempotency_mismatch"><code>idempotency_mismatch</code></a
      >; while the first is still in progress it is 409
      <a href="#error-idempotency_conflict"><code>idempotency_conflict</code></a
      >: wait and repeat. Credentials are minted anew each time; other writes change nothing when they are
      repeated.
    </p>
    <p>
      The work itself may be attempted more than once, after a crash for example. Use the id of the task,
      command or execution as the key of every effect, and never the attempt: then each effect happens once.
    </p>`,
};
