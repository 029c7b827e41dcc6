import { type Content, type Html, html } from "../../html.ts";
import { confirm } from "../../parts/confirm.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge } from "../../parts/notice.ts";
import { type HtmlColumn, table } from "../../parts/table.ts";
import { timeAgo, time } from "../../parts/time.ts";
import { describeDevice } from "./describe-device.ts";

/** One of the user's sessions. */
export type SessionRow = {
  uuid: string;
  ip: string | null;
  userAgent: string | null;
  createdAt: string;
  lastSeenAt: string | null;
  expiresAt: string;
  remembered: boolean;
  current: boolean;
};

/** The browsers where the user is logged in. */
export function sessionsCard(sessions: readonly SessionRow[], now: Date): Html {
  return html`<section class="stack-m" aria-labelledby="sessions">
    <div class="stack-s">
      <h2 id="sessions">Sessions</h2>
      <p class="soft">
        Browsers where you are logged in. If you don't recognize one, log it out and change your password.
      </p>
    </div>
    ${table("Your sessions", columns(now), sessions)} ${sessions.length > 1 && others()}
  </section>`;
}

function columns(now: Date): HtmlColumn<SessionRow>[] {
  return [
    { title: "Browser", cell: deviceCell },
    { title: "Address", cell: ({ ip }) => ip ?? "Unknown" },
    { title: "Last seen", cell: ({ lastSeenAt, createdAt }) => timeAgo(lastSeenAt ?? createdAt, now) },
    { title: "Expires", cell: ({ expiresAt }) => time(expiresAt) },
    { title: "Actions", isEnd: true, cell: logOutButton },
  ];
}

function deviceCell({ userAgent, current, createdAt }: SessionRow): Content {
  return html`<span class="primary"
      >${describeDevice(userAgent)} ${current && badge("good", "This browser")}</span
    >
    <span class="soft">Since ${time(createdAt)}</span>`;
}

/** The current browser has its own log-out button in the header. */
function logOutButton({ uuid, userAgent, current }: SessionRow): Content {
  if (current) return null;
  return html`<form method="post">
    ${hiddenFields({ act: "revoke", id: uuid })}
    <button class="button button-small">
      Log out<span class="visually-hidden"> of ${describeDevice(userAgent)}</span>
    </button>
  </form>`;
}

function others(): Html {
  return confirm({
    title: "Log out everywhere else",
    means: "All browsers except this one will be logged out at once.",
    button: "Log out everywhere else",
    fields: hiddenFields({ act: "revoke-others" }),
  });
}
