import Mailgun from "mailgun.js";
import type { MailConfig } from "../config/config.ts";
import type { Mailer } from "../domain/emails/email.ts";
import { renderEmail } from "./emails/render-email.ts";

const TIMEOUT_MS = 10_000;

/**
 * By default Mailgun rewrites links and adds images to track readers. A link that opens an account must
 * stay unchanged, and be sent only over TLS.
 *
 * @see
 *   https://documentation.mailgun.com/docs/mailgun/user-manual/sending-messages/send-http#sending-options
 */
const OPTIONS = {
  "o:tracking": "no",
  "o:tracking-clicks": "no",
  "o:tracking-opens": "no",
  "o:require-tls": "yes",
} as const;

/**
 * Sends emails by Mailgun's API. If Mailgun does not answer within ten seconds, the attempt fails. No
 * failure is final, since mailgun.js also reports outages as bad requests.
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
      const { headers, ...content } = renderEmail(email);
      await client.messages.create(domain, {
        ...{ from, to: [to] },
        ...content,
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`h:${name}`, value])),
        ...OPTIONS,
      });
    },
  };
}
