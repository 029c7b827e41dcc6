import { DomainError } from "../kernel/errors.ts";

/** ETags that a request is bound to: the resource must have one of the first, and none of the second; null for any. */
export type VersionCondition = {
  ifMatch?: readonly string[] | null | undefined;
  ifNoneMatch?: readonly string[] | null | undefined;
};

/**
 * Holds a resource's version to what a request is bound to.
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
    throw new DomainError("precondition_failed", `The ${what} has changed: its version is another.`);
  }
  if (ifNoneMatch !== null && hasVersion(ifNoneMatch, version)) {
    throw new DomainError("precondition_failed", `The ${what} has a version that the request rules out.`);
  }
}

/** Whether an ETag is the version; `*` is any. The tags are weak on both sides, as RFC 7644, 3.14 shows them. */
export function hasVersion(tags: readonly string[], version: string): boolean {
  return tags.some((tag) => tag.trim() === "*" || stripWeakPrefix(tag.trim()) === stripWeakPrefix(version));
}

function stripWeakPrefix(tag: string): string {
  return tag.replace(/^W\//, "");
}
