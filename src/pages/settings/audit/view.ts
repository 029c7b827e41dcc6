import { type Content, type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { type PageLinks, pager } from "../../parts/pager.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { time } from "../../parts/time.ts";
import { describeAction } from "./describe-action.ts";

/** An audit event. */
export type AuditEventRow = {
  uuid: string;
  seq: number;
  action: string;
  actor: { type: string; uuid: string | null; name: string };
  targetType: string;
  targetId: string;
  ip: string | null;
  changes: unknown;
  createdAt: string;
};

/** Entered filter values. "" matches anything. */
export type AuditFilter = { action: string; actor: string; target: string; since: string; until: string };

export type AuditProps = {
  visitor: Visitor;
  rows: readonly AuditEventRow[];
  around: PageLinks;
  filter: AuditFilter;
  errors: FormErrors | null;
};

export function auditView({ visitor, rows, around, filter, errors }: AuditProps): Html {
  return settingsPage(
    {
      title: "Audit log",
      section: "/settings/audit",
      visitor,
      hasErrors: errors !== null,
      lead: html`Who did what, newest first. Entries are chained by hash;
        <code>agent-ops audit verify</code> verifies the chain.`,
    },
    html`${errorSummary(errors)} ${filterForm(filter, errors)}
    ${rows.length === 0 ? emptyList("No entries", "No entry matches your filter.") : table("Audit log", columns(), rows)}
    ${pager(around, rows.length === 0 ? "" : "Times are UTC.")}`,
  );
}

function filterForm(filter: AuditFilter, errors: FormErrors | null): Html {
  const plain = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };
  const isOpen = errors !== null || Object.values(filter).some((value) => value !== "");
  return html`<details class="fold" ${attributes({ open: isOpen })}>
    <summary>Filter</summary>
    <form class="form" method="get" role="search">
      <div class="columns">
        ${field({ id: "action", label: "Action", value: filter.action, hint: html`For example <code>api_key.*</code>`, errors, input: { ...plain, maxlength: 100 } })}
        ${field({ id: "actorId", name: "actor", label: "Actor id", value: filter.actor, errors, input: { ...plain, maxlength: 36 } })}
        ${field({ id: "targetId", name: "target", label: "Target id", value: filter.target, errors, input: { ...plain, maxlength: 36 } })}
        ${field({ id: "since", label: "From (UTC)", type: "datetime-local", value: filter.since, errors })}
        ${field({ id: "until", label: "Until (UTC)", type: "datetime-local", value: filter.until, errors })}
      </div>
      <div class="actions">
        <button class="button button-primary">Search</button>
        <a class="button" href="/settings/audit">Clear</a>
      </div>
    </form>
  </details>`;
}

function columns(): HtmlColumn<AuditEventRow>[] {
  return [
    { title: "Action", cell: actCell },
    { title: "Actor", cell: actorCell },
    { title: "Target", cell: targetCell },
    { title: "Time", cell: ({ createdAt }) => time(createdAt) },
  ];
}

function actCell({ action, seq, changes }: AuditEventRow): Content {
  const text = JSON.stringify(changes ?? {}, null, 2);
  return html`<a class="primary" href="?${new URLSearchParams({ action }).toString()}"
      >${describeAction(action)}</a
    >
    <span class="soft"><code>${addBreaks(action)}</code> #${seq}</span>
    ${
      text !== "{}" &&
      html`<details class="changes">
        <summary>Details</summary>
        <pre>${text}</pre>
      </details>`
    }`;
}

/** Allows line breaks after the dots and underscores of an action. */
function addBreaks(action: string): Content {
  return action.split(/(?<=[._])/).map((part) => html`${part}<wbr />`);
}

function targetCell({ targetType, targetId }: AuditEventRow): Content {
  return html`${targetType.replaceAll("_", " ")}<br />
    <a class="small" href="?${new URLSearchParams({ target: targetId }).toString()}"
      ><code>${targetId}</code></a
    >`;
}

/** Who did it, and from which address if it is known. */
function actorCell({ actor: { uuid, name }, ip }: AuditEventRow): Content {
  const who =
    uuid === null ? name : html`<a href="?${new URLSearchParams({ actor: uuid }).toString()}">${name}</a>`;
  return ip === null ? who : html`${who}<br /><span class="small soft">from ${ip}</span>`;
}
