import type { VisitorServices } from "../auth/identify.ts";
import type { LetterServices } from "../auth/letters/letter-services.ts";

/** What the pages work with. */
export type PagesServices = VisitorServices & Pick<LetterServices, "baseUrl" | "mailer">;
