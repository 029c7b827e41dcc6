import { type Content, type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { badge, findNotice } from "../../parts/notice.ts";
import { type HtmlColumn, table } from "../../parts/table.ts";
import { timeAgo, time } from "../../parts/time.ts";
import { describeDevice } from "./describe-device.ts";

/** A browser in which the person is logged in. */
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

/** What the page of one's sessions shows. */
export type SessionsProps = {
  visitor: Visitor;
  sessions: readonly SessionRow[];
  now: Date;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const NOTICES = {
  revoked: "That browser is logged out.",
  "others-revoked": "Every other browser is logged out.",
};

/** The browsers in which one is logged in. */
export function sessionsView({ visitor, sessions, now, notice, errors }: SessionsProps): Html {
  return settingsPage(
    {
      title: "Sessions",
      section: "/settings/sessions",
      visitor,
      lead: "The browsers in which you are logged in. Log out whatever you do not know, and then change your password.",
    },
    html`${findNotice(NOTICES, notice)} ${errorSummary(errors)}
    ${table("Your sessions", columns(now), sessions)} ${sessions.length > 1 && others()}`,
  );
}

function columns(now: Date): HtmlColumn<SessionRow>[] {
  return [
    { title: "Browser", cell: deviceCell },
    { title: "Address", cell: ({ ip }) => ip ?? "Unknown" },
    { title: "Last seen", cell: ({ lastSeenAt, createdAt }) => timeAgo(lastSeenAt ?? createdAt, now) },
    { title: "Ends", cell: ({ expiresAt }) => time(expiresAt) },
    { title: "Actions", isEnd: true, cell: logOutButton },
  ];
}

function deviceCell({ userAgent, current, createdAt }: SessionRow): Content {
  return html`<span class="primary"
      >${describeDevice(userAgent)} ${current && badge("good", "This browser")}</span
    >
    <span class="soft">Since ${time(createdAt)}</span>`;
}

/** The browser in front of the person is logged out by the button above. */
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
    means: "Every browser but this one is logged out at once.",
    button: "Log out everywhere else",
    fields: hiddenFields({ act: "revoke-others" }),
  });
}
