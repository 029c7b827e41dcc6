import { z } from "@hono/zod-openapi";
import { toGlobalId } from "../../../src/schema/global-id.ts";

/** A lease's token in a body. */
export const leaseToken = z.string().min(1).max(256).openapi({ description: "The lease's, from the claim." });

/** The task that a holder's call is about, and the lease that it shows. */
export function heldTask({ id }: { id: string }, { lease_token: leaseToken }: { lease_token: string }) {
  return { id: toGlobalId("Task", id.toLowerCase()), leaseToken };
}
