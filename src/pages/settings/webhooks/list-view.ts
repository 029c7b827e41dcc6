import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { badge, findNotice } from "../../parts/notice.ts";
import { secretCard } from "../../parts/secret.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { timeAgo } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import { type EndpointTyped, newEndpointFields } from "./endpoint-form.ts";

export type EndpointRow = {
  uuid: string;
  kind: "EVENTS" | "CHAT";
  url: string;
  description: string;
  eventTypes: readonly string[];
  /** Null while it is enabled. */
  disabledBecause: "PERSON" | "FAILED" | "GONE" | null;
  disabledAt: string | null;
};

export type WebhooksProps = {
  visitor: Visitor;
  endpoints: readonly EndpointRow[];
  typed: EndpointTyped;
  isSudo: boolean;
  now: Date;
  notice: string | undefined;
  errors: FormErrors | null;
};

/** The section of both pages. */
export const WEBHOOKS = { title: "Webhooks", section: "/settings/webhooks" };

const NOTICES = { deleted: "The endpoint is deleted. Nothing more is sent to it." };

export function webhooksView(props: WebhooksProps): Html {
  const { visitor, endpoints, isSudo, now, errors } = props;
  return settingsPage(
    {
      ...WEBHOOKS,
      visitor,
      hasErrors: errors !== null,
      lead: "Sends the workspace's events to other systems, in order, at least once, and signed; or as messages to a chat.",
    },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)}
    ${endpoints.length === 0 ? emptyList("No endpoint yet", "Add the URL of a system or of a chat that should be told.") : table("Endpoints", columns(now), endpoints)}
    ${isSudo ? addForm(props) : unlock(WEBHOOKS.section)}`,
  );
}

function columns(now: Date): HtmlColumn<EndpointRow>[] {
  return [
    { title: "Endpoint", cell: endpointCell },
    {
      title: "Events",
      cell: ({ eventTypes }) => html`${eventTypes.map((type) => html`<code>${type}</code> `)}`,
    },
    { title: "Status", cell: (endpoint) => endpointStatus(endpoint, now) },
  ];
}

function endpointCell({ uuid, kind, url, description }: EndpointRow): Html {
  return html`<a class="primary" href="${WEBHOOKS.section}/${uuid}">${url}</a>
    ${kind === "CHAT" && badge("plain", "Chat")}
    ${description !== "" && html`<span class="soft">${description}</span>`}`;
}

const REASONS = { PERSON: "", FAILED: "It did not take an event.", GONE: "It answered 410 Gone." };

export function endpointStatus({ disabledBecause, disabledAt }: EndpointRow, now: Date): Html {
  if (disabledBecause === null) return badge("good", "Enabled");
  const tone = disabledBecause === "PERSON" ? "plain" : "bad";
  return html`${badge(tone, "Disabled")} ${timeAgo(disabledAt, now)}
    <span class="soft">${REASONS[disabledBecause]}</span>`;
}

function addForm({ typed, errors }: WebhooksProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Add an endpoint</h2>
    <form class="form" method="post">
      ${newEndpointFields(typed, errors)}
      <div class="actions"><button class="button button-primary">Add endpoint</button></div>
    </form>
  </section>`;
}

/** The only page that shows an endpoint's secret. */
export function secretMadeView({
  visitor,
  uuid,
  secret,
  isRotated,
}: {
  visitor: Visitor;
  uuid: string;
  secret: string;
  isRotated: boolean;
}): Html {
  const title = isRotated ? "Secret rotated" : "Endpoint added";
  return settingsPage(
    { ...WEBHOOKS, title, visitor },
    secretCard({
      label: "Signing secret",
      secret,
      next: html`<p class="soft small">
          It signs every request. Any library of
          <a href="https://www.standardwebhooks.com" rel="noreferrer">Standard Webhooks</a> verifies them with
          it.
        </p>
        <div class="actions">
          <a class="button button-primary" href="${WEBHOOKS.section}/${uuid}">I have copied it</a>
        </div>`,
    }),
  );
}
