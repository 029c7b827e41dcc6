import { type Content, type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { field, selectField } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge, notice, findNotice } from "../../parts/notice.ts";
import { secretCard } from "../../parts/secret.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { timeAgo, time } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";

/** A valid SCIM token without its secret. */
export type ScimTokenRow = {
  uuid: string;
  label: string | null;
  last4: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** When it expires after being rotated. Null if never. */
  expiresAt: string | null;
};

export type ScimProps = {
  visitor: Visitor;
  tokens: readonly ScimTokenRow[];
  /** The base URL to enter at the identity provider. */
  scimUrl: string;
  typed: { label: string; overlapSeconds: string };
  /** Only owners can create, rotate and revoke tokens. Others see the form disabled. */
  isOwner: boolean;
  isSudo: boolean;
  now: Date;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const OVERLAPS = [
  { value: "0", title: "Not at all" },
  { value: "3600", title: "1 hour" },
  { value: "86400", title: "1 day" },
];

const PAGE = { title: "SCIM", section: "/settings/scim" };

export function scimView(props: ScimProps): Html {
  const { visitor, tokens, scimUrl, isOwner, isSudo, now, errors } = props;
  return settingsPage(
    {
      ...PAGE,
      visitor,
      hasErrors: errors !== null,
      lead: "Lets your identity provider add, update and suspend members automatically.",
    },
    html`${findNotice({ revoked: "The token has been revoked." }, props.notice)} ${errorSummary(errors)}
      <section class="card stack-s">
        <h2>Base URL</h2>
        <p class="soft">Enter it at your identity provider, together with a token from below.</p>
        <code class="secret">${scimUrl}</code>
      </section>
      ${tokens.length === 0 ? emptyList("No token yet", "Create one to connect your identity provider.") : table("SCIM tokens", columns(now, isOwner && isSudo), tokens)}
      ${!isOwner && notice("plain", "Only owners can create, rotate and revoke tokens, because the identity provider can also suspend owners.")}
      ${isOwner && !isSudo ? unlock(PAGE.section) : rotateForm(props)}`,
  );
}

function columns(now: Date, isRevocable: boolean): HtmlColumn<ScimTokenRow>[] {
  return [
    { title: "Token", cell: tokenCell },
    {
      title: "Status",
      cell: ({ expiresAt }) =>
        expiresAt === null ? badge("good", "Active") : html`${badge("warn", "Expires")} ${time(expiresAt)}`,
    },
    { title: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt, now) },
    ...(isRevocable ? [{ title: "Actions", isEnd: true, cell: revokeButton }] : []),
  ];
}

function tokenCell({ label, last4, createdAt }: ScimTokenRow): Content {
  return html`<span class="primary">${label ?? "Unnamed"}</span>
    <span class="soft"><code>agp_…${last4}</code>, created ${time(createdAt)}</span>`;
}

function revokeButton({ uuid, label, last4 }: ScimTokenRow): Content {
  return confirm({
    title: html`Revoke<span class="visually-hidden"> ${label ?? last4}</span>`,
    means: "The identity provider can no longer use this token.",
    button: "Revoke now",
    fields: hiddenFields({ act: "revoke", id: uuid }),
    isSmall: true,
  });
}

function rotateForm({ tokens, typed, isOwner, errors }: ScimProps): Html {
  const isFirst = tokens.length === 0;
  return html`<section class="card">
    <div class="card-head">
      <h2>${isFirst ? "Create token" : "Rotate"}</h2>
      ${!isFirst && html`<p class="soft">Creates a new token to replace the current one. At most two can be valid at a time.</p>`}
    </div>
    <form class="narrow" method="post">
      <fieldset class="form" ${attributes({ disabled: !isOwner })}>
        ${hiddenFields({ act: "rotate" })}
        ${field({ id: "label", label: "Name (optional)", value: typed.label, errors, input: { maxlength: 100, autocomplete: "off" } })}
        ${
          !isFirst &&
          selectField({
            id: "overlapSeconds",
            name: "overlap_seconds",
            label: "How long the old token keeps working",
            value: typed.overlapSeconds,
            options: OVERLAPS,
            errors,
          })
        }
        <div class="actions">
          <button class="button button-primary">${isFirst ? "Create token" : "Rotate token"}</button>
        </div>
      </fieldset>
    </form>
  </section>`;
}

/** The only page that shows a SCIM token's secret. */
export function scimTokenMadeView({
  visitor,
  secret,
  scimUrl,
}: {
  visitor: Visitor;
  secret: string;
  scimUrl: string;
}): Html {
  return settingsPage(
    { ...PAGE, title: "SCIM token created", above: { href: PAGE.section, title: "SCIM" }, visitor },
    secretCard({
      label: "SCIM token",
      secret,
      next: html`<div class="stack-s">
          <p class="label">Base URL</p>
          <code class="secret">${scimUrl}</code>
        </div>
        <div class="actions">
          <a class="button button-primary" href="${PAGE.section}">I have copied it</a>
        </div>`,
    }),
  );
}
