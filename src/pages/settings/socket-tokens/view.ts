import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { badge } from "../../parts/notice.ts";
import { type PageLinks, pager } from "../../parts/pager.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { time } from "../../parts/time.ts";

/** A socket token without its secret. */
export type SocketTokenRow = {
  uuid: string;
  agentName: string;
  scopes: readonly string[];
  singleUse: boolean;
  usedAt: string | null;
  createdAt: string;
  expiresAt: string;
};

export function socketTokensView({
  visitor,
  tokens,
  around,
  now,
}: {
  visitor: Visitor;
  tokens: readonly SocketTokenRow[];
  around: PageLinks;
  now: Date;
}): Html {
  return settingsPage(
    {
      title: "Socket tokens",
      section: "/settings/socket-tokens",
      visitor,
      lead: "Agents use them to open WebSockets. A token is valid for ten minutes; open sockets stay open.",
    },
    html`${
      tokens.length === 0
        ? emptyList("No tokens", html`Agents mint tokens with <code>POST /api/v1/socket_tokens</code>.`)
        : table("Socket tokens", columns(now), tokens)
    }
    ${pager(around, tokens.length === 0 ? "" : "From the last 24 hours, newest first.")}`,
  );
}

function columns(now: Date): HtmlColumn<SocketTokenRow>[] {
  return [
    {
      title: "Agent",
      cell: ({ uuid, agentName }) =>
        html`<span class="primary">${agentName}</span><code class="soft">${uuid}</code>`,
    },
    { title: "Status", cell: (token) => renderStatus(token, now) },
    {
      title: "Scopes",
      cell: ({ scopes }) =>
        html`<span class="tags">${scopes.map((scope) => html`<span class="tag">${scope}</span> `)}</span>`,
    },
    { title: "Created", cell: ({ createdAt }) => time(createdAt) },
    { title: "Expires", cell: ({ expiresAt }) => time(expiresAt) },
  ];
}

function renderStatus({ expiresAt, singleUse, usedAt }: SocketTokenRow, now: Date): Html {
  if (new Date(expiresAt) <= now) return badge("plain", "Expired");
  return singleUse && usedAt !== null ? badge("plain", "Used") : badge("good", "Active");
}
