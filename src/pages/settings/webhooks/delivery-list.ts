import { type Content, type Html, html } from "../../html.ts";
import { confirm } from "../../parts/confirm.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge } from "../../parts/notice.ts";
import { pager } from "../../parts/pager.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { time, timeAgo } from "../../parts/time.ts";
import type { EndpointRow } from "./list-view.ts";

export type DeliveryRow = {
  id: string;
  eventType: string;
  body: string;
  status: "PENDING" | "DELIVERED" | "SKIPPED";
  attempts: number;
  nextAttemptAt: string | null;
  attemptedAt: string | null;
  durationMs: number | null;
  answerStatus: number | null;
  answerBody: string | null;
  problem: string | null;
  createdAt: string;
};

export type DeliveriesProps = {
  endpoint: EndpointRow;
  deliveries: readonly DeliveryRow[];
  /** The last delivery, if there are older ones. */
  older: string | null;
  isFirstPage: boolean;
  isSudo: boolean;
  now: Date;
};

/** What was sent to an endpoint, with the answers. */
export function deliveryList(props: DeliveriesProps): Html {
  const { endpoint, deliveries, older, isFirstPage } = props;
  const links = {
    previous: isFirstPage ? null : "?",
    next: older === null ? null : `?before=${encodeURIComponent(older)}`,
  };
  return html`<section class="stack">
    <div class="row-between">
      <h2>Deliveries</h2>
      ${
        endpoint.disabledAt === null &&
        html`<form method="post">
          ${hiddenFields({ act: "test" })}
          <button class="button button-small">Send a test event</button>
        </form>`
      }
    </div>
    ${deliveries.length === 0 ? emptyList("Nothing was sent yet", "Events show up here once they happen.") : table("Deliveries", columns(props), deliveries)}
    ${pager(links, "")}
  </section>`;
}

function columns({ endpoint, isSudo, now }: DeliveriesProps): HtmlColumn<DeliveryRow>[] {
  return [
    { title: "Event", cell: eventCell },
    { title: "Status", cell: (delivery) => statusCell(delivery, now) },
    { title: "Answer", cell: answerCell },
    { title: "Actions", isEnd: true, cell: (delivery) => actions(delivery, { endpoint, isSudo }) },
  ];
}

function eventCell({ eventType, body, createdAt }: DeliveryRow): Content {
  return html`<code>${eventType}</code>
    <span class="soft">${time(createdAt)}</span>
    <details class="changes">
      <summary>Request</summary>
      <pre>${body}</pre>
    </details>`;
}

function statusCell({ status, attempts, attemptedAt, nextAttemptAt }: DeliveryRow, now: Date): Content {
  if (status === "DELIVERED") return html`${badge("good", "Delivered")} ${timeAgo(attemptedAt, now)}`;
  if (status === "SKIPPED") return badge("plain", "Skipped");
  const tried = attempts === 1 ? "1 attempt failed" : `${attempts} attempts failed`;
  return html`${badge(attempts === 0 ? "plain" : "warn", "Pending")}
  ${attempts > 0 && html`<span class="soft">${tried}</span>`}
  ${nextAttemptAt !== null && attempts > 0 && html`<span class="soft">next ${time(nextAttemptAt)}</span>`}`;
}

function answerCell({ answerStatus, answerBody, problem, durationMs }: DeliveryRow): Content {
  return html`${answerStatus !== null && html`<code>${answerStatus}</code>`}
  ${durationMs !== null && html`<span class="soft">${durationMs} ms</span>`}
  ${problem !== null && html`<span class="soft">${problem}</span>`}
  ${
    answerBody !== null &&
    answerBody !== "" &&
    html`<details class="changes">
      <summary>Answer</summary>
      <pre>${answerBody}</pre>
    </details>`
  }`;
}

/** To a disabled endpoint, only everything from an event on can be sent again, which enables it. */
function actions(
  { id, eventType }: DeliveryRow,
  { endpoint, isSudo }: Pick<DeliveriesProps, "endpoint" | "isSudo">,
): Content {
  const again =
    endpoint.disabledAt === null &&
    html`<form method="post">
      ${hiddenFields({ act: "resend", delivery: id })}
      <button class="button button-small">
        Send again<span class="visually-hidden"> ${eventType}</span>
      </button>
    </form>`;
  const from =
    isSudo &&
    eventType !== "webhook_endpoint.test" &&
    confirm({
      title: html`Send again from here<span class="visually-hidden"> ${eventType}</span>`,
      means: "This event and all after it are sent again, with the same ids.",
      button: "Send from here",
      isSmall: true,
      fields: hiddenFields({ act: "resend-from", delivery: id }),
    });
  return html`<div class="stack-s">${again} ${from}</div>`;
}
