import type { VisitorServices } from "../auth/identify.ts";

/** What the pages work with. */
export type PagesServices = VisitorServices & {
  /** How links name this server, without a trailing slash. */
  baseUrl: () => string;
};
