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

/** A SCIM token that lives, without its secret. */
export type ScimTokenRow = {
  uuid: string;
  label: string | null;
  last4: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** When it ends because another took its place; null for never. */
  expiresAt: string | null;
};

/** What the page of SCIM shows. */
export type ScimProps = {
  visitor: Visitor;
  tokens: readonly ScimTokenRow[];
  /** What the identity provider is given. */
  scimUrl: string;
  typed: { label: string; overlapSeconds: string };
  /** Only owners make, rotate or revoke tokens: others see how that is done. */
  isOwner: boolean;
  isSudo: boolean;
  now: Date;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const OVERLAPS = [
  { value: "0", title: "Nothing: the old token ends now" },
  { value: "3600", title: "An hour" },
  { value: "86400", title: "A day" },
];

const PAGE = { title: "SCIM", section: "/settings/scim" };

/** The tokens with which the identity provider manages the workspace's members. */
export function scimView(props: ScimProps): Html {
  const { visitor, tokens, scimUrl, isOwner, isSudo, now, errors } = props;
  return settingsPage(
    {
      ...PAGE,
      visitor,
      hasErrors: errors !== null,
      lead: "Your identity provider adds, changes and suspends members by itself.",
    },
    html`${findNotice({ revoked: "The token is revoked." }, props.notice)} ${errorSummary(errors)}
      <section class="card stack-s">
        <h2>Base URL</h2>
        <p class="soft">Paste it into the identity provider, with a token from below.</p>
        <code class="secret">${scimUrl}</code>
      </section>
      ${tokens.length === 0 ? emptyList("No token", "The identity provider can't reach the workspace yet.") : table("SCIM tokens", columns(now, isOwner && isSudo), tokens)}
      ${!isOwner && notice("plain", "Only an owner can make, rotate or revoke tokens: with one, the identity provider may suspend owners too.")}
      ${isOwner && !isSudo ? unlock(PAGE.section) : rotateForm(props)}`,
  );
}

function columns(now: Date, isRevocable: boolean): HtmlColumn<ScimTokenRow>[] {
  return [
    { title: "Token", cell: tokenCell },
    {
      title: "Status",
      cell: ({ expiresAt }) =>
        expiresAt === null ? badge("good", "Active") : html`${badge("warn", "Ends")} ${time(expiresAt)}`,
    },
    { title: "Last used", cell: ({ lastUsedAt }) => timeAgo(lastUsedAt, now) },
    ...(isRevocable ? [{ title: "Actions", isEnd: true, cell: revokeButton }] : []),
  ];
}

function tokenCell({ label, last4, createdAt }: ScimTokenRow): Content {
  return html`<span class="primary">${label ?? "Without a name"}</span>
    <span class="soft"><code>agp_…${last4}</code>, made ${time(createdAt)}</span>`;
}

function revokeButton({ uuid, label, last4 }: ScimTokenRow): Content {
  return confirm({
    title: html`Revoke<span class="visually-hidden"> ${label ?? last4}</span>`,
    means: "The identity provider is refused with it from now on.",
    button: "Revoke it now",
    fields: hiddenFields({ act: "revoke", id: uuid }),
    isSmall: true,
  });
}

function rotateForm({ tokens, typed, isOwner, errors }: ScimProps): Html {
  const isFirst = tokens.length === 0;
  return html`<section class="card">
    <div class="card-head">
      <h2>${isFirst ? "Create a token" : "Rotate"}</h2>
      ${!isFirst && html`<p class="soft">A new token takes the place of the one in use. At most two are alive.</p>`}
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
            label: "How long the old token works on",
            value: typed.overlapSeconds,
            options: OVERLAPS,
            errors,
          })
        }
        <div class="actions">
          <button class="button button-primary">${isFirst ? "Create the token" : "Rotate the token"}</button>
        </div>
      </fieldset>
    </form>
  </section>`;
}

/** The one page that shows a SCIM token. */
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
    { ...PAGE, title: "The token is created", above: { href: PAGE.section, title: "SCIM" }, visitor },
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
