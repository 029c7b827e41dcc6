import { html } from "hono/html";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const SETUP = `export AGENT_OPS_URL=http://127.0.0.1:4000
export AGENT_OPS_TOKEN=agk_…

curl "$AGENT_OPS_URL/api/v1/whoami" -H "Authorization: Bearer $AGENT_OPS_TOKEN"`;

const CLIENT = `import { createClient } from "@agent-ops/client";

const client = createClient({
  url: process.env.AGENT_OPS_URL ?? "",
  token: process.env.AGENT_OPS_TOKEN ?? "",
  // With an API key: mints an access token for this agent, renews it and finally revokes it.
  agent: { handle: "billing-bot" },
});`;

/** Which credentials there are, and where they go. */
export const AUTHENTICATION: Guide = {
  id: "authentication",
  title: "Authentication",
  body: html`<p>
      Send an API key (<code>agk_…</code>) or an access token (<code>agt_…</code>) as
      <code>Authorization: Bearer</code>, never in the URL or the body. Every credential belongs to one
      workspace and can't reach any other.
    </p>
    ${codeBlock("curl", SETUP, "curl")} ${codeBlock("TypeScript", CLIENT, "typescript")}
    <p>
      An <b>API key</b> is made in the settings, or under <a href="/connect">Connect an agent</a>, and is
      shown once. It mints <b>access tokens</b> for its agents (<a href="#postAgentTokens"
        >POST /agent_tokens</a
      >): for at most 30 days, with the key's scopes or fewer. They end with the key, at once and on every
      server. A workload in CI or Kubernetes needs no key: it exchanges its issuer's token at
      <code>POST /oauth/token</code>.
    </p>
    <p>
      A route names the <b>scope</b> that it requires. Without it the answer is 403
      <a href="#error-insufficient_scope"><code>insufficient_scope</code></a
      >, and <code>WWW-Authenticate</code> names the missing one. <a href="#getWhoami">GET /whoami</a> says
      what a credential is and may do.
    </p>
    <p>
      What only people may do takes a <b>session</b>: the cookie <code>_agent_ops_key</code> of somebody who
      is logged in. The examples of such routes send it as <code>$SESSION</code>. No credential of an agent
      can approve what agents ask for. A bearer, if there is one, decides alone.
    </p>`,
};
