import { AUTHENTICATION } from "./authentication.ts";
import { ERROR_GUIDE } from "./error-guide.ts";
import { GATEWAY } from "./gateway.ts";
import { IDEMPOTENCY } from "./idempotency.ts";
import { PAGING } from "./paging.ts";
import { RATE_LIMITS } from "./rate-limits.ts";
import { TRACES } from "./traces.ts";
import { WEBHOOKS } from "./webhooks.ts";
import type { Guide } from "./guide.ts";

/** The guides, in the order in which they are read. */
export const GUIDES: readonly Guide[] = [
  AUTHENTICATION,
  PAGING,
  IDEMPOTENCY,
  RATE_LIMITS,
  ERROR_GUIDE,
  GATEWAY,
  TRACES,
  WEBHOOKS,
];
