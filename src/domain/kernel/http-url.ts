import { text } from "./input.ts";
import { LIMITS } from "./limits.ts";

/** A URL of another server, by https or http, without a user, password or fragment. */
export const httpUrl = text(LIMITS.urlLength)
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
