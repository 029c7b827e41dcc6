/** A JSON value to compare with; `isThere` is false where there was none. */
export type Before = { isThere: boolean; value: unknown };

export type ChangeKind = "new" | "changed" | "removed";

/** How a value differs from the one before. Null if it is equal, or has members that can be compared. */
export function getChange(value: unknown, before: Before | undefined): ChangeKind | null {
  if (before === undefined) return null;
  if (!before.isThere) return "new";
  if (isBranch(value) && isBranch(before.value) && Array.isArray(value) === Array.isArray(before.value)) {
    return null;
  }
  return JSON.stringify(value) === JSON.stringify(before.value) ? null : "changed";
}

/** Whether a value has members of its own. */
export function isBranch(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** A member of an object or an item of a list. */
export type Member = { name: string; value: unknown; before: Before | undefined; isRemoved: boolean };

/** The members of a value, then those that only the value before had. */
export function listMembers(value: object, before: Before | undefined): Member[] {
  const old = new Map(before !== undefined && isBranch(before.value) ? listEntries(before.value) : []);
  const own = listEntries(value).map(([name, member]) => ({
    name,
    value: member,
    isRemoved: false,
    before: before === undefined ? undefined : { isThere: old.has(name), value: old.get(name) },
  }));
  const names = new Set(Object.keys(value));
  const removed = [...old]
    .filter(([name]) => !names.has(name))
    .map(([name, member]) => ({ name, value: member, before: undefined, isRemoved: true }));
  return [...own, ...removed];
}

function listEntries(value: object): [name: string, member: unknown][] {
  return Object.entries(value);
}
