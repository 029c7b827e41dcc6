import { z } from "@hono/zod-openapi";

type Subject = { type: string; id: string; name?: string | undefined };

/** Who would do what is asked for. */
export const requestSubject = z
  .strictObject({ type: z.string(), id: z.string(), name: z.string().optional() })
  .nullable()
  .openapi({ description: "Who would act. `name` is a person's. Null for the agent itself." });

/** Returns a subject as the gateway wrote it. */
export function toSubject(written: unknown): Subject | null {
  // Written by nameSubject().
  return written as Subject | null;
}
