import { z } from "zod";
import { name, text, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

const url = text(LIMITS.urlLength)
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    message: "must be a URL that begins with https:// or http://",
    abort: true,
  })
  .transform((value) => new URL(value))
  .refine(
    ({ username, password }) => username === "" && password === "",
    "must not contain a user or password",
  )
  .refine(({ hash }) => hash === "", "must not contain a fragment")
  .transform(({ href }) => href);

const slug = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "must be 1 to 40 lower-case letters, digits and hyphens");

/** What can be changed of a server. */
export const mcpServerFields = {
  name: name(LIMITS.nameLength),
  url,
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
