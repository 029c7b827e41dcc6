import { z } from "zod";
import type { Part } from "../../../src/domain/kernel/part.ts";
import { optionalText } from "../operations/read-input.ts";

const CONTENT = ["text", "raw", "url", "data"] as const;

/** A part as the protocol spells it. The use case checks what is in it. */
export const part = z
  .object({
    text: z.string().nullish(),
    raw: z.string().nullish(),
    url: z.string().nullish(),
    data: z.unknown().optional(),
    metadata: z.custom<Record<string, unknown>>().nullish(),
    filename: optionalText,
    mediaType: optionalText,
  })
  .refine(
    (given) => CONTENT.filter((name) => given[name] !== null && given[name] !== undefined).length <= 1,
    "must have only one of text, raw, url and data",
  )
  .transform(({ text, raw, url, data, metadata, filename, mediaType }) =>
    omitAbsent({ text, raw, url, data, metadata, filename, media_type: mediaType }),
  );

/** Spells a stored part as the protocol does. */
export function partJson({ media_type: mediaType, ...rest }: Part): object {
  return mediaType === undefined ? rest : { ...rest, mediaType };
}

/** Null is another spelling of what is left out. */
export function omitAbsent(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}
