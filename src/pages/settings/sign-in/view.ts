import { type Content, type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { checkbox, field } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge, findNotice, notice } from "../../parts/notice.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { unlock } from "../../parts/unlock.ts";
import { type ShownOwner, enforcementCard } from "./enforcement-card.ts";

export type ShownProvider = { hasClientSecret: boolean; servesOwners: boolean; enforced: boolean };

export type ShownDomain = {
  uuid: string;
  domain: string;
  recordName: string;
  recordValue: string;
  verifiedAt: string | null;
};

export type SignInProps = {
  visitor: Visitor;
  provider: ShownProvider | null;
  domains: readonly ShownDomain[];
  /** The owners who can log in with a password, and the one whose password works where the provider is enforced. */
  owners: readonly ShownOwner[];
  breakGlassOwner: string;
  /** To enter at the provider. */
  redirectUri: string;
  loggedOutUri: string;
  backchannelUri: string;
  typed: { issuer: string; clientId: string; createsViewers: boolean; domain: string };
  isSudo: boolean;
  notice?: string | undefined;
  errors: FormErrors | null;
};

export const LABELS = {
  issuer: "The issuer",
  clientId: "The client ID",
  clientSecret: "The client secret",
  domain: "The domain",
  enforced: "Enforcing",
  breakGlassOwnerId: "The break-glass owner",
};

const PAGE = { title: "Sign-in", section: "/settings/sign-in" };

const NOTICES = {
  saved: "The provider has been saved.",
  removed: "The provider has been removed. People log in with their passwords.",
  enforced: "The provider is enforced: members log in there alone.",
  allowed: "Members can log in with passwords again.",
  added: "The domain has been added. Create its DNS record, then verify it.",
  verified: "The domain is verified. Its addresses can sign in at your provider.",
  deleted: "The domain has been deleted.",
};

export function signInView(props: SignInProps): Html {
  const { visitor, provider, domains, redirectUri, loggedOutUri, backchannelUri, isSudo, errors } = props;
  return settingsPage(
    {
      ...PAGE,
      visitor,
      hasErrors: errors !== null,
      lead: "Lets members sign in at your company's OpenID Connect provider, beside their passwords or instead of them.",
    },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)} ${!isSudo && unlock(PAGE.section)}
      <section class="card stack-m">
        <div class="stack-s">
          <h2>At your provider</h2>
          <p class="soft">
            Register a web application with the authorization code flow, and these addresses.
          </p>
        </div>
        ${[
          ["Redirect URI", redirectUri],
          ["Post-logout redirect URI, to come back after a log-out", loggedOutUri],
          ["Back-channel logout URI, so that a log-out there ends the sessions here", backchannelUri],
        ].map(
          ([label, uri]) =>
            html`<div class="stack-s">
              <p class="label">${label}</p>
              <code class="secret">${uri}</code>
            </div>`,
        )}
      </section>
      ${provider?.servesOwners === false && notice("warn", "Owners can't sign in by this provider until an owner saves it, because whoever chooses it decides who somebody is.")}
      ${providerForm(props)} ${provider !== null && enforcementCard({ ...provider, ...props })}
      <section class="stack-s">
        <h2>Domains of email addresses</h2>
        <p class="soft">Only addresses of verified domains can sign in. A domain belongs to one workspace.</p>
        ${domains.length === 0 ? emptyList("No domain yet", "Add the part of your addresses after the @.") : table("Domains", columns(isSudo), domains)}
      </section>
      ${domainForm(props)}`,
  );
}

function providerForm({ provider, typed, isSudo, errors }: SignInProps): Html {
  return html`<section class="card stack-s">
    <h2 class="card-head">Provider</h2>
    <form class="narrow" method="post">
      <fieldset class="form" ${attributes({ disabled: !isSudo })}>
        ${hiddenFields({ act: "save" })}
        ${field({ id: "issuer", label: "Issuer", value: typed.issuer, errors, hint: "A URL, exactly as the provider shows it. Another issuer forgets who signed in before, and ends their sessions.", input: { required: true, inputmode: "url", maxlength: 2000, autocomplete: "off" } })}
        ${field({ id: "clientId", name: "client_id", label: "Client ID", value: typed.clientId, errors, input: { required: true, maxlength: 255, autocomplete: "off" } })}
        ${field({ id: "clientSecret", name: "client_secret", label: "Client secret", type: "password", value: "", errors, hint: provider?.hasClientSecret === true ? "Leave empty to keep the stored one." : "Leave empty for a public client.", input: { maxlength: 4096, autocomplete: "off" } })}
        ${checkbox({ id: "creates-viewers", name: "creates_viewers", label: "Add unknown people as viewers", hint: "Not while an identity provider manages people by SCIM.", checked: typed.createsViewers })}
        <div class="actions"><button class="button button-primary">Save provider</button></div>
      </fieldset>
    </form>
    ${provider !== null && isSudo && removeButton()}
  </section>`;
}

function removeButton(): Content {
  return confirm({
    title: "Remove provider",
    means:
      "Nobody can sign in by it any more, and all sessions that began there end. Members need passwords.",
    button: "Remove now",
    fields: hiddenFields({ act: "remove" }),
    isSmall: true,
  });
}

function columns(canChange: boolean): HtmlColumn<ShownDomain>[] {
  return [
    { title: "Domain", cell: domainCell },
    {
      title: "Status",
      cell: ({ verifiedAt }) =>
        verifiedAt === null ? badge("warn", "Not verified") : badge("good", "Verified"),
    },
    ...(canChange ? [{ title: "Actions", isEnd: true, cell: actions }] : []),
  ];
}

function domainCell({ domain, recordName, recordValue, verifiedAt }: ShownDomain): Content {
  if (verifiedAt !== null) return html`<span class="primary">${domain}</span>`;
  return html`<span class="primary">${domain}</span>
    <span class="soft">Create this TXT record:</span>
    <code class="secret">${recordName}</code>
    <code class="secret">${recordValue}</code>`;
}

function actions({ uuid, domain, verifiedAt }: ShownDomain): Content {
  const name = html`<span class="visually-hidden"> ${domain}</span>`;
  const verify = html`<form method="post">
    ${hiddenFields({ act: "verify", id: uuid })}
    <button class="button button-small">Verify${name}</button>
  </form>`;
  return html`${verifiedAt === null && verify}
  ${confirm({
    title: html`Delete${name}`,
    means: "Its addresses can't sign in at the provider any more.",
    button: "Delete now",
    fields: hiddenFields({ act: "delete", id: uuid }),
    isSmall: true,
  })}`;
}

function domainForm({ typed, isSudo, errors }: SignInProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Add domain</h2>
    <form class="narrow" method="post">
      <fieldset class="form" ${attributes({ disabled: !isSudo })}>
        ${hiddenFields({ act: "add" })}
        ${field({ id: "domain", label: "Domain", value: typed.domain, errors, hint: "Such as example.com.", input: { required: true, maxlength: 253, autocomplete: "off" } })}
        <div class="actions"><button class="button">Add domain</button></div>
      </fieldset>
    </form>
  </section>`;
}
