import type { Email } from "../../domain/emails/email.ts";
import { formatEmail } from "./format-email.ts";
import { describeFactorNews } from "./factor-news.ts";
import { formatPlace } from "./format-place.ts";
import { renderDigest } from "./render-digest.ts";
import { renderAlerts, renderWaitingQuestions } from "./render-notifications.ts";
import type { RenderedEmail } from "./rendered-email.ts";

/** Renders an email in English. */
export function renderEmail(email: Email): RenderedEmail {
  switch (email.kind) {
    case "reset_password":
      return renderResetPassword(email);
    case "password_changed":
      return renderPasswordChanged(email);
    case "new_device":
      return renderNewDevice(email);
    case "second_factor":
      return renderSecondFactor(email);
    case "email_change":
      return renderEmailChange(email);
    case "email_changed":
      return renderEmailChanged(email);
    case "break_glass_used":
      return renderBreakGlass(email);
    case "webhook_disabled":
      return renderWebhookDisabled(email);
    case "alerts":
      return renderAlerts(email);
    case "waiting_questions":
      return renderWaitingQuestions(email);
    case "digest":
      return renderDigest(email);
    case "invitation":
      return renderInvitation(email);
  }
}

/** Sent to the new address. */
function renderEmailChange(email: Extract<Email, { kind: "email_change" }>): RenderedEmail {
  const { workspace, name, link, hours } = email;
  return formatEmail({
    subject: "Confirm your new email address",
    name,
    before: [
      `Please confirm that you want to use this address for your account in the workspace “${workspace}”.`,
    ],
    button: { label: "Confirm this address", link },
    after: [
      `The link works only once and expires after ${hours} hours. Your address does not change until you open it.`,
      "If you did not ask for this, ignore this email: somebody has probably mistyped an address.",
    ],
    reason: "You get this email because this address was entered in the settings of an account.",
  });
}

/** Sent to the old address. */
function renderEmailChanged(email: Extract<Email, { kind: "email_changed" }>): RenderedEmail {
  const { workspace, name, place, newEmail } = email;
  return formatEmail({
    subject: "Your email address was changed",
    name,
    before: [
      `The email address of your account in the workspace “${workspace}” was changed to ${newEmail}. From now on, emails go there.`,
      formatPlace(place),
      "If it was you, there is nothing to do. If it was not, contact an administrator of your workspace " +
        "immediately: only they can restore your access.",
    ],
    button: null,
    after: [],
    reason: "You get this email because this was the address of the account until now.",
  });
}

/** Sent to all owners. */
function renderBreakGlass(email: Extract<Email, { kind: "break_glass_used" }>): RenderedEmail {
  const { workspace, name, place, usedBy, auditLink } = email;
  return formatEmail({
    subject: "An owner logged in without the company's account",
    name,
    before: [
      `${usedBy} logged in to the workspace “${workspace}” with a password or a passkey, although its members sign in with their company's account: this owner can, for when the company's sign-in is down.`,
      formatPlace(place),
      "If you know of it, there is nothing to do. If not, log that person out by suspending the account, and change its password.",
    ],
    button: { label: "See the audit log", link: auditLink },
    after: [],
    reason: "You get this email because you are an owner of the workspace.",
  });
}

/** Sent to all admins. */
function renderWebhookDisabled(email: Extract<Email, { kind: "webhook_disabled" }>): RenderedEmail {
  const { workspace, name, host, because, link } = email;
  return formatEmail({
    subject: "A webhook was disabled",
    name,
    before: [
      because === "gone"
        ? `The webhook of the workspace “${workspace}” at ${host} answered that it is gone, and was disabled.`
        : `The webhook of the workspace “${workspace}” at ${host} did not accept an event within 18 hours, and was disabled.`,
      "Nothing is lost yet: once it is enabled again, it gets what it missed, as far back as the workspace keeps its events.",
    ],
    button: { label: "See its deliveries", link },
    after: [],
    reason: "You get this email because you are an administrator of the workspace.",
  });
}

/** Sent to a new member without a password. */
function renderInvitation(email: Extract<Email, { kind: "invitation" }>): RenderedEmail {
  const { workspace, name, link, days, invitedBy } = email;
  return formatEmail({
    subject: `You are invited to “${workspace}”`,
    name,
    before: [
      `${invitedBy} invites you to the workspace “${workspace}” in Agent Ops, where people supervise software agents and robots.`,
      days === null ? "To join, sign in with your company's account." : "To join, choose a password.",
    ],
    button: { label: "Join the workspace", link },
    after: [
      ...(days === null ? [] : [`The link works only once and expires after ${days} days.`]),
      "If you did not expect this invitation, ignore this email.",
    ],
    reason: "You get this email because an administrator of the workspace entered this address.",
  });
}

/** Sent after a log-in from a new browser. */
function renderNewDevice(email: Extract<Email, { kind: "new_device" }>): RenderedEmail {
  const { workspace, name, place, sessionsLink } = email;
  return formatEmail({
    subject: "A log-in from a new browser",
    name,
    before: [
      `Somebody logged in to your account in the workspace “${workspace}” from a browser that you have not used before.`,
      formatPlace(place),
      "If it was you, there is nothing to do. If it was not, log that browser out and change your password.",
    ],
    button: { label: "See where you are logged in", link: sessionsLink },
    after: [],
    reason: "You get this email because of a log-in to your account.",
  });
}

/** Sent after a change or use of second factors that the person should know about. */
function renderSecondFactor(email: Extract<Email, { kind: "second_factor" }>): RenderedEmail {
  const { workspace, name, place, news, securityLink } = email;
  const { subject, text, advice } = describeFactorNews(news, workspace);
  return formatEmail({
    subject,
    name,
    before: [text, formatPlace(place), advice],
    after: [],
    button: { label: "Check your account's security", link: securityLink },
    reason: "You get this email because of the security of your account.",
  });
}

/** Sent after a password change. */
function renderPasswordChanged(email: Extract<Email, { kind: "password_changed" }>): RenderedEmail {
  const { workspace, name, place, resetLink } = email;
  return formatEmail({
    subject: "Your password was changed",
    name,
    before: [
      `The password of your account in the workspace “${workspace}” was changed. All other browsers were logged out.`,
      formatPlace(place),
      "If it was you, there is nothing to do. If it was not, set a new password immediately and contact " +
        "an administrator of your workspace.",
    ],
    button: { label: "Set a new password", link: resetLink },
    after: [],
    reason: "You get this email because the security of your account has changed.",
  });
}

/** Sent to a person who has asked for a password reset. */
function renderResetPassword(email: Extract<Email, { kind: "reset_password" }>): RenderedEmail {
  const { workspace, name, link, minutes } = email;
  return formatEmail({
    subject: "Set a new password",
    name,
    before: [`Somebody asked to set a new password for your account in the workspace “${workspace}”.`],
    button: { label: "Set a new password", link },
    after: [
      `The link works only once and expires ${minutes} minutes after this email was sent.`,
      "If it was not you, ignore this email: your password does not change. We never ask for it by " +
        "email or telephone.",
    ],
    reason: "You get this email because a new password was requested for this address.",
  });
}
