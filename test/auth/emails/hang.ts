import { pino } from "pino";
import { openServices } from "../../../src/services.ts";
import { deliverEmails } from "../../../src/auth/emails/deliver-emails.ts";
import { deliverResetEmails } from "../../../src/auth/emails/deliver-reset-emails.ts";
import { readProcessConfig } from "../../../src/config/config.ts";

/** A node that delivers emails until it is killed. */
const services = await openServices(readProcessConfig(), pino({ level: "silent" }));
await Promise.all([deliverEmails(services), deliverResetEmails(services)]);
