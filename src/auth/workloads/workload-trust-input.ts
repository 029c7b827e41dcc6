import { z } from "zod";
import { parseGlob } from "../../domain/kernel/glob.ts";
import { name, text, wholeNumber } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { isObject } from "../../domain/kernel/is-object.ts";
import { OutboundError } from "../../http/outbound/outbound-error.ts";
import { parseUrl } from "../../http/outbound/outbound.ts";
import { JWKS_BYTES, JWKS_KEYS } from "./parse-jwks.ts";

/** What a claim must be: a glob, in which `*` stands for any text. */
export type ClaimPattern = { claim: string; pattern: string };

const CLAIM_LENGTH = 100;

const pattern = text(256).superRefine((value, context) => {
  const glob = parseGlob(value);
  if (typeof glob === "string") context.addIssue({ code: "custom", message: glob });
});

const claimPatterns = z
  .array(z.object({ claim: text(CLAIM_LENGTH), pattern }))
  .max(LIMITS.claimPatterns, `must have at most ${LIMITS.claimPatterns} entries`)
  .superRefine((patterns, context) => {
    const names = patterns.map(({ claim }) => claim);
    if (new Set(names).size < names.length)
      context.addIssue({ code: "custom", message: "must name each claim once" });
    // One issuer serves many customers, as GitHub does: what begins with a star fits all of them.
    if (!patterns.some(({ claim, pattern: of }) => claim === "sub" && !of.startsWith("*")))
      context.addIssue({ code: "custom", message: "must have a pattern for sub that does not begin with *" });
  });

const url = text(LIMITS.urlLength).superRefine((value, context) => {
  try {
    if (parseUrl(value).hash !== "")
      context.addIssue({ code: "custom", message: "must not have a fragment" });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    context.addIssue({ code: "custom", message: error.message });
  }
});

const jwks = text(JWKS_BYTES)
  .transform((value, context) => {
    try {
      const parsed: unknown = JSON.parse(value);
      if (isObject(parsed)) return parsed;
    } catch {
      // The issue says it.
    }
    context.addIssue({ code: "custom", message: "must be a JSON object" });
    return z.NEVER;
  })
  .superRefine(({ keys }, context) => {
    const isList = Array.isArray(keys) && keys.length > 0 && keys.length <= JWKS_KEYS && keys.every(isObject);
    if (!isList) context.addIssue({ code: "custom", message: `must have 1 to ${JWKS_KEYS} keys` });
    else if (keys.some((key) => "d" in key || "k" in key))
      context.addIssue({ code: "custom", message: "must have public keys only" });
  })
  .transform((value): object => value);

/** The fields of a trust, without rules that concern several. */
export const workloadTrustFields = {
  name: name(LIMITS.nameLength),
  issuer: text(LIMITS.urlLength),
  audience: text(LIMITS.urlLength),
  claimPatterns,
  jwksUri: url.nullable(),
  jwks: jwks.nullable(),
  scopes: z.array(z.string()),
  lifetimeSeconds: wholeNumber(LIMITS.workloadTokenSeconds),
  reusable: z.boolean(),
};

/** Says why an issuer's keys can't be found; null if they can. */
export function findKeysProblem({
  issuer,
  jwksUri,
  jwks: given,
}: {
  issuer: string;
  jwksUri: string | null;
  jwks: unknown;
}): string | null {
  if (jwksUri !== null && given !== null) return "can't be given besides jwksUri";
  if (jwksUri !== null || given !== null || url.safeParse(issuer).success) return null;
  return "is needed, or jwksUri, for an issuer that is not an http or https URL";
}
