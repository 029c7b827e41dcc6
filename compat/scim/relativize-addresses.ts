import type { ScimFilter } from "../../src/domain/directory/filter.ts";

/** Attributes that contain URLs of this service. */
const ADDRESSES = new Set(["location", "$ref"]);

/**
 * Makes the URLs in a filter relative to `base`, as the directory stores them.
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

/** A prefix or part of the base URL matches every URL, so it becomes empty. */
function relativize(root: string, filter: Compare): Compare {
  const { comparison, value } = filter;
  if (typeof value !== "string") return filter;
  if (value.startsWith(root)) return { ...filter, value: value.slice(root.length) };
  const isOfAll =
    (comparison === "sw" && root.startsWith(value)) || (comparison === "co" && root.includes(value));
  return isOfAll ? { ...filter, value: "" } : filter;
}
