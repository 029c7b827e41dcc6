import Mailgun from "mailgun.js";
import type { MailConfig } from "../config/config.ts";
import type { Mailer } from "../domain/emails/email.ts";
import { renderEmail } from "./emails/render-email.ts";

const TIMEOUT_MS = 10_000;

/**
 * Mailgun rewrites links and adds pictures to find out who reads, unless it is told not to: a link that opens
 * an account must reach its owner as it is, and over TLS alone.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-http#sending-options
 */
const OPTIONS = {
  "o:tracking": "no",
  "o:tracking-clicks": "no",
  "o:tracking-opens": "no",
  "o:require-tls": "yes",
} as const;

/**
 * Sends letters by Mailgun's API. A letter that Mailgun has not taken within ten seconds counts as refused. No
 * refusal is final: mailgun.js gives an outage, too, the status of a bad request.
 */
export function createMailgunMailer(
  { apiKey, domain, baseUrl }: NonNullable<MailConfig["mailgun"]>,
  from: string,
  timeoutMs = TIMEOUT_MS,
): Mailer {
  const client = new Mailgun(FormData).client({
    username: "api",
    key: apiKey,
    url: baseUrl,
    timeout: timeoutMs,
  });
  return {
    isProvider: true,
    send: async (to, email) => {
      await client.messages.create(domain, { from, to: [to], ...renderEmail(email), ...OPTIONS });
    },
  };
}
