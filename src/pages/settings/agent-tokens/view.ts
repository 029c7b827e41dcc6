import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { badge } from "../../parts/notice.ts";
import { type PageLinks, pager } from "../../parts/pager.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { timeAgo, time } from "../../parts/time.ts";

/** An agent token without its secret. */
export type AgentTokenRow = {
  uuid: string;
  name: string | null;
  agentName: string;
  scopes: readonly string[];
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
  lastUsedAt: string | null;
};

export type AgentTokensProps = {
  visitor: Visitor;
  tokens: readonly AgentTokenRow[];
  around: PageLinks;
  now: Date;
};

export function agentTokensView({ visitor, tokens, around, now }: AgentTokensProps): Html {
  return settingsPage(
    {
      title: "Agent tokens",
      section: "/settings/agent-tokens",
      visitor,
      lead: "Access tokens minted by API keys, valid for at most 30 days. They stop working when their key is revoked.",
    },
    html`${tokens.length === 0 ? emptyList("No tokens", html`Agents mint tokens with <code>POST /api/v1/agent_tokens</code>.`) : table("Agent tokens", columns(now), tokens)}
    ${pager(around, tokens.length === 0 ? "" : "Newest first.")}`,
  );
}

function columns(now: Date): HtmlColumn<AgentTokenRow>[] {
  return [
    {
      title: "Token",
      cell: ({ uuid, name }) =>
        html`<span class="primary">${name ?? "Unnamed"}</span><code class="soft">${uuid}</code>`,
    },
    { title: "Status", cell: ({ revokedAt, expiresAt }) => lifeBadge({ revokedAt, expiresAt }, now) },
    {
      title: "Scopes",
      cell: ({ scopes }) =>
        html`<span class="tags">${scopes.map((scope) => html`<span class="tag">${scope}</span> `)}</span>`,
    },
    { title: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt, now) },
    { title: "Expires", cell: ({ expiresAt }) => time(expiresAt) },
  ];
}

function lifeBadge(
  { revokedAt, expiresAt }: Pick<AgentTokenRow, "revokedAt" | "expiresAt">,
  now: Date,
): Html {
  if (revokedAt !== null) return badge("bad", "Revoked");
  return new Date(expiresAt) > now ? badge("good", "Active") : badge("plain", "Expired");
}
