import { html } from "hono/html";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const RECEIVER = `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? ""); // whsec_…

app.post("/agent-ops", express.text({ type: "*/*" }), (request, response) => {
  const event = webhook.verify(request.body, request.headers); // Throws if it isn't ours.
  if (isNew(event.id)) handle(event.type, event.data);
  response.sendStatus(204);
});`;

const EVENTS = `curl "$AGENT_OPS_URL/api/v1/events?types=task.*&wait=30" \\
  -H "Authorization: Bearer $AGENT_OPS_TOKEN"
# Then again with after=… of next_after`;

const FOLLOW = `for await (const frame of client.events({ types: ["task.*"] })) {
  if (frame.kind === "event") console.log(frame.event.type, frame.event.subject_id);
}`;

/** How to be told what happens. */
export const WEBHOOKS: Guide = {
  id: "webhooks",
  title: "Webhooks and events",
  body: html`<p>
      Everything that happens is an event, in one order. <a href="#getEvents">GET /events</a> reads them after
      a cursor, and the GraphQL subscription <code>events</code> follows them live; both go on after an
      interruption without a loss.
    </p>
    ${codeBlock("curl", EVENTS, "curl")} ${codeBlock("TypeScript", FOLLOW, "typescript")}
    <p>
      A webhook brings them to you: admins add endpoints at
      <a href="/settings/webhooks">Settings, Webhooks</a>, for types such as <code>task.created</code>,
      <code>task.*</code> and <code>*</code>. Each event arrives at least once, as a <code>POST</code> with a
      CloudEvent in JSON, signed by
      <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a>:
    </p>
    ${codeBlock("TypeScript: a receiver", RECEIVER)}
    <p>
      Answer 2xx within 15 seconds. Otherwise it is sent again after 5 seconds, 5 minutes, 30 minutes, and 2,
      5 and 10 hours; then the endpoint is disabled. 410 disables it at once. Events of one subject come in
      order;
      <code>webhook-id</code> is the event's id, the same each time.
    </p>`,
};
