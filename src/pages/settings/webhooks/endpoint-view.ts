import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { checkbox, selectField } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { findNotice } from "../../parts/notice.ts";
import { time } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import { type DeliveriesProps, deliveryList } from "./delivery-list.ts";
import { type EndpointTyped, endpointFields } from "./endpoint-form.ts";
import { type EndpointRow, WEBHOOKS, endpointStatus } from "./list-view.ts";

export type EndpointProps = DeliveriesProps & {
  visitor: Visitor;
  endpoint: EndpointRow & {
    previousSecretEndsAt: string | null;
    createdAt: string;
    createdBy: { name: string };
  };
  typed: EndpointTyped;
  notice: string | undefined;
  errors: FormErrors | null;
};

const NOTICES = {
  added: "The chat is added. Send a test event to see that it arrives.",
  saved: "The endpoint has been saved.",
  enabled: "The endpoint is enabled.",
  disabled: "The endpoint is disabled. Events wait in the log until it is enabled.",
  tested: "A test event is on its way. Reload to see its answer.",
  resent: "It is on its way again. Reload to see its answer.",
};

const OVERLAPS = [
  { value: "0", title: "Not at all" },
  { value: "3600", title: "1 hour" },
  { value: "86400", title: "1 day" },
  { value: "604800", title: "7 days" },
];

export function endpointView(props: EndpointProps): Html {
  const { visitor, endpoint, isSudo, errors } = props;
  return settingsPage(
    {
      ...WEBHOOKS,
      title: endpoint.kind === "CHAT" ? "Chat" : "Webhook",
      visitor,
      hasErrors: errors !== null,
    },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)} ${facts(props)} ${deliveryList(props)}
    ${isSudo ? html`${editForm(props)} ${switchForm(endpoint)} ${endpoint.kind === "EVENTS" && rotateForm()} ${deleteForm()}` : unlock(`${WEBHOOKS.section}/${endpoint.uuid}`)}`,
  );
}

function facts({ endpoint, now }: EndpointProps): Html {
  const { url, description, eventTypes, previousSecretEndsAt } = endpoint;
  const isRotating = previousSecretEndsAt !== null && new Date(previousSecretEndsAt) > now;
  return html`<section class="card">
    <h2 class="visually-hidden">Details</h2>
    <dl class="facts">
      <dt>URL</dt>
      <dd><code>${url}</code></dd>
      <dt>Status</dt>
      <dd>${endpointStatus(endpoint, now)}</dd>
      <dt>Events</dt>
      <dd class="tags">${eventTypes.map((type) => html`<span class="tag">${type}</span> `)}</dd>
      ${
        description !== "" &&
        html`<dt>Description</dt>
          <dd>${description}</dd>`
      }
      ${
        isRotating &&
        html`<dt>Secret before</dt>
          <dd>signs too until ${time(previousSecretEndsAt)}</dd>`
      }
      <dt>Created</dt>
      <dd>${time(endpoint.createdAt)} by ${endpoint.createdBy.name}</dd>
    </dl>
  </section>`;
}

function editForm({ typed, errors }: EndpointProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Edit</h2>
    <form class="form" method="post">
      ${hiddenFields({ act: "update" })} ${endpointFields(typed, errors)}
      <div class="actions"><button class="button button-primary">Save</button></div>
    </form>
  </section>`;
}

function switchForm({ disabledAt }: EndpointRow): Html {
  if (disabledAt !== null) {
    return html`<section class="card">
      <div class="card-head">
        <h2>Enable</h2>
        <p class="soft">It gets what it missed, as far as the log still has it.</p>
      </div>
      <form class="form" method="post">
        ${hiddenFields({ act: "enable" })}
        ${checkbox({ id: "from", label: "Skip what it missed", value: "now", checked: false })}
        <div class="actions"><button class="button">Enable endpoint</button></div>
      </form>
    </section>`;
  }
  return html`<section class="card">
    <div class="card-head">
      <h2>Disable</h2>
      <p class="soft">Nothing is sent. Events wait in the log until it is enabled.</p>
    </div>
    <form method="post">
      ${hiddenFields({ act: "disable" })}
      <button class="button">Disable endpoint</button>
    </form>
  </section>`;
}

function rotateForm(): Html {
  return html`<section class="card">
    <div class="card-head">
      <h2>Rotate the secret</h2>
      <p class="soft">Requests are signed by the new secret, and by the one before for a while.</p>
    </div>
    <form class="form narrow" method="post">
      ${hiddenFields({ act: "rotate" })}
      ${selectField({
        id: "overlapSeconds",
        name: "overlap_seconds",
        label: "How long the secret before signs too",
        value: "86400",
        options: OVERLAPS,
        errors: null,
      })}
      <div class="actions"><button class="button">Rotate secret</button></div>
    </form>
  </section>`;
}

function deleteForm(): Html {
  return html`<section class="card card-danger">
    <div class="card-head">
      <h2>Delete</h2>
      <p class="soft">If nobody listens there any more.</p>
    </div>
    ${confirm({
      title: "Delete endpoint",
      means: "Nothing more is sent, and its deliveries and its secret are deleted.",
      button: "Delete now",
      fields: hiddenFields({ act: "delete" }),
    })}
  </section>`;
}
