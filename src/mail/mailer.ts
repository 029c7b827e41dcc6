import type { Logger } from "pino";
import type { Config } from "../config/config.ts";
import type { Mailer } from "../domain/letters/letter.ts";
import { createMailboxMailer } from "./mailbox.ts";
import { createMailgunMailer } from "./mailgun.ts";

/** Opens the way that letters leave by: Mailgun where its key is set, else the mailbox in the data folder. */
export function createMailer({ mail, dataDir }: Pick<Config, "mail" | "dataDir">, log: Logger): Mailer {
  return mail.mailgun === null
    ? createMailboxMailer(dataDir, log)
    : createMailgunMailer(mail.mailgun, mail.from);
}
