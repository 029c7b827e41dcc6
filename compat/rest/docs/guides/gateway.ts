import { html } from "hono/html";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const CURL = `curl -X POST "$AGENT_OPS_URL/api/v1/gateway/check" \\
  -H "Authorization: Bearer $AGENT_OPS_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{
    "request": {
      "action": { "name": "tools/call", "properties": { "arguments": { "amount": 900, "order": "A-17" } } },
      "resource": { "type": "tool", "id": "stripe.refund" }
    },
    "options": { "wait": 20 }
  }'`;

const CLIENT = `const refund = client.gated(
  "stripe.refund",
  (args: { amount: number; order: string }, { key }) => payments.refund(args, { idempotencyKey: key }),
  { waitSeconds: 600 },
);
await refund({ amount: 900, order: "A-17" }); // Throws a DeniedError if it isn't allowed.`;

/** How an agent asks before it acts. */
export const GATEWAY: Guide = {
  id: "gateway",
  title: "Gateway",
  body: html`<p>
      An agent asks before it acts, and acts only on <code>allowed</code>. Policies of the workspace allow,
      deny, or ask a person; budgets and stops are looked at too.
      <a href="#postGatewayCheck">POST /gateway/check</a> takes the action, the resource and their properties,
      and needs the scope <code>gateway:check</code>.
    </p>
    ${codeBlock("curl", CURL, "curl")} ${codeBlock("TypeScript", CLIENT, "typescript")}
    <ol>
      <li><code>denied</code>: don't. <code>reason</code> says why.</li>
      <li>
        <code>pending</code>: people are asked, once for the same request however often it is checked. Check
        the same request again, or wait with <code>options.wait</code> (at most 25 seconds).
      </li>
      <li>
        <code>allowed</code>: act now. If a person approved it, the answer has an <code>execution</code>: use
        its id as the key of the effect, and report how it ended (<a href="#postGatewayExecutionsByIdComplete"
          >complete</a
        >, <a href="#postGatewayExecutionsByIdFail">fail</a>) before its lease is over. What nobody reports
        becomes <code>unknown</code> and is never done again by itself.
      </li>
    </ol>
    <p>
      An approval holds for this agent and this request to the byte. What will cost something is reserved
      first (<a href="#postBudgetReservations">POST /budget_reservations</a>) and settled after.
    </p>`,
};
