import type { ScimFilter } from "../../src/domain/directory/filter.ts";

/** The attributes that hold an address of ours. */
const ADDRESSES = new Set(["location", "$ref"]);

/**
 * The filter with the addresses that it asks for as the directory knows them: relative to `base`.
 *
 * @see RFC 7643, 2.3.7.
 */
export function relativizeAddresses(filter: ScimFilter, base: string): ScimFilter {
  switch (filter.kind) {
    case "and":
    case "or":
      return { ...filter, operands: filter.operands.map((operand) => relativizeAddresses(operand, base)) };
    case "not":
      return { ...filter, operand: relativizeAddresses(filter.operand, base) };
    case "some":
      return { ...filter, where: relativizeAddresses(filter.where, base) };
    case "present":
      return filter;
    case "compare":
      return ADDRESSES.has(filter.path.at(-1) ?? "") ? relativize(`${base}/`, filter) : filter;
  }
}

type Compare = Extract<ScimFilter, { kind: "compare" }>;

/** What every address begins with, or has in it, is asked of none in particular. */
function relativize(root: string, filter: Compare): Compare {
  const { comparison, value } = filter;
  if (typeof value !== "string") return filter;
  if (value.startsWith(root)) return { ...filter, value: value.slice(root.length) };
  const isOfAll =
    (comparison === "sw" && root.startsWith(value)) || (comparison === "co" && root.includes(value));
  return isOfAll ? { ...filter, value: "" } : filter;
}
