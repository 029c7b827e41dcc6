import type { VisitorServices } from "../auth/identify.ts";
import type { OidcServices } from "../auth/oidc/oidc-services.ts";
import type { EmailServices } from "../auth/emails/email-services.ts";

export type PagesServices = VisitorServices & OidcServices & Pick<EmailServices, "baseUrl" | "mailer">;
