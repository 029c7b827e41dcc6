import { z } from "zod";
import { httpUrl } from "../kernel/http-url.ts";
import { name, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 lower-case letters, digits and hyphens");

/** What can be changed of a server. */
export const mcpServerFields = {
  name: name(LIMITS.nameLength),
  url: httpUrl,
  enabled: z.boolean(),
  holdSeconds: wholeNumber(LIMITS.mcpHoldSeconds),
};

/** A new server. */
export const mcpServerInput = z.object({
  ...mcpServerFields,
  slug,
  enabled: mcpServerFields.enabled.default(true),
  holdSeconds: mcpServerFields.holdSeconds.default(LIMITS.mcpHoldSeconds.default),
});
