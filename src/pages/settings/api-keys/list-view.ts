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
  /** How the key begins, up to its dot. */
  prefix: string;
  last4: string;
  primary: boolean;
  lastUsedAt: string | null;
  creatorSuspended: boolean;
};

/** What the list of API keys shows. */
export type KeysProps = {
  visitor: Visitor;
  keys: readonly KeyRow[];
  around: PageLinks;
  total: number;
  /** `active`, `inactive` or `all`. */
  state: string;
  now: Date;
};

/** The workspace's API keys. */
export function keysView({ visitor, keys, around, total, state, now }: KeysProps): Html {
  return settingsPage(
    {
      title: "API keys",
      section: "/settings/api-keys",
      visitor,
      lead: "With a key an agent calls the API, and mints short-lived tokens for others.",
      action: html`<a class="button button-primary" href="/settings/api-keys/new">Create a key</a>`,
    },
    html`${filterForm(state)}
    ${keys.length === 0 ? emptyList("No keys", "There is no key of this kind.") : table("API keys", columns(now), keys)}
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
    <button class="button">Show</button>
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
    >${keyStatus(key, now)} ${key.creatorSuspended && badge("warn", "Maker suspended")}</span
  >`;
}
