const NAMES = ["name", "key", "header", "variable", "Name", "Key"] as const;
const VALUES = ["value", "Value"] as const;
const OPTION = /^-{1,2}[A-Za-z][\w-]{1,60}$/;

/** Finds the member of an object whose name another member says: `{"name": "DB_PASSWORD", "value": "…"}`. */
export function findNamedValue(value: object): { name: string; member: string } | null {
  const members = value as Record<string, unknown>;
  const member = VALUES.find((one) => Object.hasOwn(members, one));
  if (member === undefined) return null;
  const name = NAMES.map((one) => members[one]).find((one) => typeof one === "string");
  return name === undefined ? null : { name, member };
}

/** The name that a program's argument before another gives it. Null if it gives none. */
export function getOptionName(before: unknown, value: unknown): string | null {
  if (typeof before !== "string" || typeof value !== "string" || value.startsWith("-")) return null;
  return OPTION.test(before) ? before : null;
}
