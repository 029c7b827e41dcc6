import type { VisitorServices } from "../auth/identify.ts";
import type { EmailServices } from "../auth/emails/email-services.ts";

export type PagesServices = VisitorServices & Pick<EmailServices, "baseUrl" | "mailer">;
