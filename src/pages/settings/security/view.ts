import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { findNotice, notice } from "../../parts/notice.ts";
import { unlock } from "../../parts/unlock.ts";
import { type Factors, appCard, codesCard } from "./factor-cards.ts";
import { passkeysCard } from "./passkeys-card.ts";
import { type SessionRow, sessionsCard } from "./sessions-card.ts";

export type SecurityProps = {
  visitor: Visitor;
  factors: Factors;
  sessions: readonly SessionRow[];
  isSudo: boolean;
  /** Whether this site can have passkeys. */
  hasPasskeys: boolean;
  /** Whether the user can do nothing else before. */
  needsFactor: boolean;
  now: Date;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const NOTICES = {
  revoked: "That browser has been logged out.",
  "others-revoked": "All other browsers have been logged out.",
  added: "Your authenticator app has been added.",
  "passkey-added": "Your passkey has been added.",
  "passkey-removed": "Your passkey has been removed.",
  removed: "Your authenticator app has been removed.",
};

const REQUIRED = "Your workspace requires a second factor. Add one to go on.";

/** The page of a person's security. */
export function securityView(props: SecurityProps): Html {
  const { visitor, factors, sessions, isSudo, needsFactor, now, notice: done, errors } = props;
  return settingsPage(
    {
      title: "Security",
      section: "/settings/security",
      visitor,
      hasErrors: errors !== null,
      lead: "A second factor protects your account even if somebody learns your password.",
    },
    html`${findNotice(NOTICES, done)} ${errorSummary(errors)} ${needsFactor && notice("warn", REQUIRED)}
    ${!isSudo && unlock("/settings/security")} ${appCard(factors, isSudo)}
    ${passkeysCard(factors, { isSudo, canAdd: props.hasPasskeys })} ${codesCard(factors, isSudo)}
    ${sessionsCard(sessions, now)}`,
  );
}
