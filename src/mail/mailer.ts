import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Mailer } from "../domain/emails/email.ts";

/**
 * Creates the mailer: Mailgun if its key is set, otherwise the mailbox in the data folder. Imported with
 * the first email, since most commands send none.
 */
export function createMailer({ mail, dataDir }: Pick<Config, "mail" | "dataDir">, log: Logger): Mailer {
  const { mailgun, from } = mail;
  let opened: Promise<Mailer> | null = null;
  async function open(): Promise<Mailer> {
    if (mailgun === null) return (await import("./mailbox.ts")).createMailboxMailer(dataDir, log);
    return (await import("./mailgun.ts")).createMailgunMailer(mailgun, from);
  }
  return {
    isProvider: mailgun !== null,
    send: async (to, email) => {
      opened ??= open();
      await (await opened).send(to, email);
    },
  };
}
