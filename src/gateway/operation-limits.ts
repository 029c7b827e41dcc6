import type { RateLimit } from "../http/rate-limit.ts";
import { type Admission, createAdmission } from "./limits.ts";
import { type ReadingTime, createReadingTime } from "./reading-time.ts";

/** What the operations of GraphQL are held to on this node, over HTTP and over sockets together. */
export type OperationLimits = { rateLimit: RateLimit; admission: Admission; reading: ReadingTime };

/** @param rateLimit counts what each credential asks for, by whatever API. */
export function createOperationLimits(rateLimit: RateLimit): OperationLimits {
  return { rateLimit, admission: createAdmission(rateLimit), reading: createReadingTime() };
}
