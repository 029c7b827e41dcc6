import { DomainError } from "../kernel/errors.ts";

/**
 * The conditions of If-Match and If-None-Match: the version must be one of `ifMatch` and none of
 * `ifNoneMatch`; null for no condition.
 */
export type VersionCondition = {
  ifMatch?: readonly string[] | null | undefined;
  ifNoneMatch?: readonly string[] | null | undefined;
};

/**
 * Checks a resource's version.
 *
 * @throws {DomainError} precondition_failed.
 * @see RFC 7644, 3.14; RFC 9110, 13.1.1 and 13.1.2.
 */
export function requireVersion(
  what: string,
  version: string,
  { ifMatch = null, ifNoneMatch = null }: VersionCondition,
): void {
  if (ifMatch !== null && !hasVersion(ifMatch, version)) {
    throw new DomainError("precondition_failed", `The ${what} has changed: its version is not in If-Match.`);
  }
  if (ifNoneMatch !== null && hasVersion(ifNoneMatch, version)) {
    throw new DomainError("precondition_failed", `The ${what}'s version is in If-None-Match.`);
  }
}

/** Whether an ETag matches the version; `*` matches any. Compares weakly, as in RFC 7644, 3.14. */
export function hasVersion(tags: readonly string[], version: string): boolean {
  return tags.some((tag) => tag.trim() === "*" || stripWeakPrefix(tag.trim()) === stripWeakPrefix(version));
}

function stripWeakPrefix(tag: string): string {
  return tag.replace(/^W\//, "");
}
