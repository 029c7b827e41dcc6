import { z } from "@hono/zod-openapi";
import { toGlobalId } from "../../../src/schema/global-id.ts";

export const leaseToken = z
  .string()
  .min(1)
  .max(256)
  .openapi({ description: "The lease token returned by the claim." });

/** The task's global id and the caller's lease token. */
export function heldTask({ id }: { id: string }, { lease_token: leaseToken }: { lease_token: string }) {
  return { id: toGlobalId("Task", id.toLowerCase()), leaseToken };
}
