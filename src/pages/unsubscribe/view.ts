import type { Unsubscription } from "../../auth/unsubscribe/unsubscribe.ts";
import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";

const TOPICS: Readonly<Record<Unsubscription["topic"], string>> = {
  alerts: "alerts",
  waiting_questions: "questions that wait",
  digest: "digests",
};

/** Asks before emails are ended. */
export function unsubscribeView({ topic, email, workspaceName }: Unsubscription): Html {
  return gatePage(
    { title: "Unsubscribe" },
    html`<div class="stack">
      <div>
        <h1>No more emails about ${TOPICS[topic]}?</h1>
        <p class="soft">So far ${email} gets them from the workspace <strong>${workspaceName}</strong>.</p>
      </div>
      <form method="post">
        <button class="button button-primary button-wide">Unsubscribe</button>
      </form>
    </div>`,
  );
}

/** Shown when they are. */
export function unsubscribedView({ topic, email, workspaceName }: Unsubscription): Html {
  return gatePage(
    { title: "You are unsubscribed" },
    html`<div class="stack">
      <div>
        <h1>You are unsubscribed.</h1>
        <p class="soft">
          ${email} gets no more emails about ${TOPICS[topic]} of the workspace
          <strong>${workspaceName}</strong>.
        </p>
      </div>
      <a class="button button-wide" href="/settings/notifications">Go to your notifications</a>
    </div>`,
  );
}

/** Shown for a link that is unknown or expired. */
export function invalidUnsubscribeView(): Html {
  return gatePage(
    { title: "This link is no longer valid" },
    html`<div class="stack">
      <div>
        <h1>This link is no longer valid.</h1>
        <p class="soft">You can change what you are told of by email in your settings.</p>
      </div>
      <a class="button button-primary button-wide" href="/settings/notifications">
        Go to your notifications
      </a>
    </div>`,
  );
}
