import type { Email } from "../../domain/emails/email.ts";
import { formatEmail } from "./format-email.ts";
import { formatPlace } from "./format-place.ts";
import type { RenderedEmail } from "./rendered-email.ts";

/** Writes a letter in words. */
export function renderEmail(email: Email): RenderedEmail {
  switch (email.kind) {
    case "reset_password":
      return renderResetPassword(email);
    case "password_changed":
      return renderPasswordChanged(email);
    case "new_device":
      return renderNewDevice(email);
    case "email_change":
      return renderEmailChange(email);
    case "email_changed":
      return renderEmailChanged(email);
    case "invitation":
      return renderInvitation(email);
  }
}

/** To the address that a person wants to have. */
function renderEmailChange(email: Extract<Email, { kind: "email_change" }>): RenderedEmail {
  const { workspace, name, link, hours } = email;
  return formatEmail({
    subject: "Confirm your new e-mail address",
    name,
    before: [
      `Please confirm that this is to be the address of your account in the workspace “${workspace}”.`,
    ],
    button: { label: "Confirm this address", link },
    after: [
      `The link works once and expires after ${hours} hours. Until you follow it, your address stays as it is.`,
      "If you did not ask for this, do nothing: somebody has probably mistyped an address.",
    ],
    reason: "You get this letter because this e-mail address was entered in the settings of an account.",
  });
}

/** To the address that a person had. */
function renderEmailChanged(email: Extract<Email, { kind: "email_changed" }>): RenderedEmail {
  const { workspace, name, place, newEmail } = email;
  return formatEmail({
    subject: "Your e-mail address was changed",
    name,
    before: [
      `Your account in the workspace “${workspace}” has another e-mail address now: ${newEmail}. Letters go there from now on.`,
      formatPlace(place),
      "If it was you, there is nothing to do. If it was not, tell an administrator of your workspace at once: only they can help you back in.",
    ],
    button: null,
    after: [],
    reason: "You get this letter because this was the e-mail address of the account until now.",
  });
}

/** To a person who was made a member of a workspace. */
function renderInvitation(email: Extract<Email, { kind: "invitation" }>): RenderedEmail {
  const { workspace, name, link, days, invitedBy } = email;
  return formatEmail({
    subject: `You are invited to “${workspace}”`,
    name,
    before: [
      `${invitedBy} invites you to the workspace “${workspace}” in Agent Ops, where people supervise software agents and robots.`,
      "To join, choose a password.",
    ],
    button: { label: "Join the workspace", link },
    after: [
      `The link works once and expires after ${days} days.`,
      "If you do not know what this is about, do nothing.",
    ],
    reason: "You get this letter because an administrator of the workspace entered this e-mail address.",
  });
}

/** To a person who was logged in from a browser that is new to us. */
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
    reason: "You get this letter because of a log-in to your account.",
  });
}

/** To a person whose password is another one now. */
function renderPasswordChanged(email: Extract<Email, { kind: "password_changed" }>): RenderedEmail {
  const { workspace, name, place, resetLink } = email;
  return formatEmail({
    subject: "Your password was changed",
    name,
    before: [
      `The password of your account in the workspace “${workspace}” was changed. Every other browser was logged out.`,
      formatPlace(place),
      "If it was you, there is nothing to do. If it was not, set a new password at once, and tell an administrator of your workspace.",
    ],
    button: { label: "Set a new password", link: resetLink },
    after: [],
    reason: "You get this letter because the security of your account has changed.",
  });
}

/** To whoever asked for a new password. */
function renderResetPassword(email: Extract<Email, { kind: "reset_password" }>): RenderedEmail {
  const { workspace, name, link, minutes } = email;
  return formatEmail({
    subject: "Set a new password",
    name,
    before: [`Somebody asked to set a new password for your account in the workspace “${workspace}”.`],
    button: { label: "Set a new password", link },
    after: [
      `The link works once and expires ${minutes} minutes after this letter was sent.`,
      "If it was not you, do nothing: your password stays as it is. We never ask for it by mail or telephone.",
    ],
    reason: "You get this letter because a new password was requested for this e-mail address.",
  });
}
