import { type Turns, createTurns } from "../domain/kernel/turns.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { type Admission, createAdmission } from "./limits.ts";
import { type ReadingTime, createReadingTime } from "./reading-time.ts";

/** The limits of this node's GraphQL operations, shared by HTTP and sockets. */
export type OperationLimits = {
  rateLimit: RateLimit;
  admission: Admission;
  reading: ReadingTime;
  /** In which workspaces read documents and start operations. */
  takeTurn: Turns["run"];
};

/** @param rateLimit counts the requests of each credential over all APIs. */
export function createOperationLimits(rateLimit: RateLimit): OperationLimits {
  return {
    rateLimit,
    admission: createAdmission(rateLimit),
    reading: createReadingTime(),
    takeTurn: createTurns().run,
  };
}
