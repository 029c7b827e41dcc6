import { z } from "zod";
import { uuid } from "../kernel/input.ts";
import { leaseToken } from "./lease.ts";

/** The fields of every call of a task's holder. */
export const holderInput = z.object({
  id: uuid,
  leaseToken,
  ifGeneration: z.array(z.int()).nullish(),
});
