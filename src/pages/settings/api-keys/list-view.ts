import { type Content, type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { selectField } from "../../parts/field.ts";
import { badge } from "../../parts/notice.ts";
import { type PageLinks, formatCount, pager } from "../../parts/pager.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { timeAgo, time } from "../../parts/time.ts";
import { type KeyLife, keyStatus } from "./key-status.ts";

/** A key in the list. */
export type KeyRow = KeyLife & {
  uuid: string;
  name: string;
  /** The part of the key before its dot. */
  prefix: string;
  last4: string;
  primary: boolean;
  lastUsedAt: string | null;
  creatorSuspended: boolean;
};

export type KeysProps = {
  visitor: Visitor;
  keys: readonly KeyRow[];
  around: PageLinks;
  total: number;
  /** `active`, `inactive` or `all`. */
  state: string;
  now: Date;
};

export function keysView({ visitor, keys, around, total, state, now }: KeysProps): Html {
  return settingsPage(
    {
      title: "API keys",
      section: "/settings/api-keys",
      visitor,
      lead: "Agents use API keys to call the API and to mint short-lived tokens.",
      action: html`<a class="button button-primary" href="/settings/api-keys/new">Create key</a>`,
    },
    html`${filterForm(state)}
    ${keys.length === 0 ? emptyList("No keys", "No API key matches this filter.") : table("API keys", columns(now), keys)}
    ${pager(around, formatCount(total, "key"))}`,
  );
}

function filterForm(state: string): Html {
  const options = [
    { value: "active", title: "Active" },
    { value: "inactive", title: "Revoked or expired" },
    { value: "all", title: "All" },
  ];
  return html`<form class="filter" method="get">
    <div class="field-narrow">
      ${selectField({ id: "state", label: "Show", value: state, options, errors: null })}
    </div>
    <button class="button">Apply</button>
  </form>`;
}

function columns(now: Date): HtmlColumn<KeyRow>[] {
  return [
    { title: "Key", cell: keyCell },
    { title: "Status", cell: (key) => statusCell(key, now) },
    { title: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt, now) },
    { title: "Expires", cell: ({ expiresAt }) => (expiresAt === null ? "Never" : time(expiresAt)) },
  ];
}

function keyCell({ uuid, name, prefix, last4, primary }: KeyRow): Content {
  return html`<a class="primary" href="/settings/api-keys/${uuid}">${name}</a>
    <code class="soft">${prefix}.…${last4}</code> ${primary && badge("plain", "Primary")}`;
}

function statusCell(key: KeyRow, now: Date): Content {
  return html`<span class="tags"
    >${keyStatus(key, now)} ${key.creatorSuspended && badge("warn", "Creator suspended")}</span
  >`;
}
