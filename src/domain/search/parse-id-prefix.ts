/** The first and the last id that begin so. */
export type IdRange = { first: string; last: string };

const SHORTEST = 8;
const LENGTH = 32;

/** The ids that begin with a text, with or without hyphens. Null if it is too short, or none does. */
export function parseIdPrefix(text: string): IdRange | null {
  const digits = text.trim().toLowerCase().replaceAll("-", "");
  if (digits.length < SHORTEST || digits.length > LENGTH || !/^[0-9a-f]+$/.test(digits)) return null;
  return { first: toUuid(digits.padEnd(LENGTH, "0")), last: toUuid(digits.padEnd(LENGTH, "f")) };
}

function toUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
