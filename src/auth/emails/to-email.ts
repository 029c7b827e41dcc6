import type { Email } from "../../domain/emails/email.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import type { HeldAccountEmail } from "./held-email.ts";

/**
 * Renders an email of the outbox.
 *
 * @param path the page that its link opens; "" if the email has no link.
 */
export function toEmail(held: HeldAccountEmail, baseUrl: string, path: string): Email {
  const { name, workspaceName: workspace, createdAt: at } = held;
  const link = baseUrl + path;
  switch (held.kind) {
    case "password_changed": {
      const { kind, data } = held;
      return { kind, workspace, name, place: { at, ...data }, resetLink: `${baseUrl}/users/forgot-password` };
    }
    case "new_device": {
      const { kind, data } = held;
      return { kind, workspace, name, place: { at, ...data }, sessionsLink: `${baseUrl}/settings/security` };
    }
    case "email_changed": {
      const { kind, data } = held;
      const { newEmail, ...from } = data;
      return { kind, workspace, name, place: { at, ...from }, newEmail };
    }
    case "email_change":
      return { kind: held.kind, workspace, name, link, hours: LIMITS.emailChangeHours };
    case "break_glass_used": {
      const { kind, data } = held;
      const { usedBy, ...from } = data;
      const auditLink = `${baseUrl}/settings/audit`;
      return { kind, workspace, name, place: { at, ...from }, usedBy, auditLink };
    }
    case "webhook_disabled":
      return toWebhookEmail(held, baseUrl);
    case "second_factor":
      return toFactorEmail(held, baseUrl);
    case "invitation": {
      const { kind, data } = held;
      const { invitedBy } = data;
      if (path !== "") return { kind, workspace, name, link, days: LIMITS.invitationDays, invitedBy };
      return { kind, workspace, name, link: `${baseUrl}/users/log-in`, days: null, invitedBy };
    }
  }
}

function toFactorEmail(held: Extract<HeldAccountEmail, { kind: "second_factor" }>, baseUrl: string): Email {
  const { kind, data, name, workspaceName: workspace, createdAt: at } = held;
  const { news, ...from } = data;
  return {
    kind,
    workspace,
    name,
    news,
    place: { at, ...from },
    securityLink: `${baseUrl}/settings/security`,
  };
}

function toWebhookEmail(
  held: Extract<HeldAccountEmail, { kind: "webhook_disabled" }>,
  baseUrl: string,
): Email {
  const { kind, data, name, workspaceName: workspace } = held;
  const { endpointId, host, because } = data;
  return { kind, workspace, name, host, because, link: `${baseUrl}/settings/webhooks/${endpointId}` };
}
