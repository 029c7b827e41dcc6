import type { ScimFilter } from "../../src/domain/directory/filter.ts";
import { requireAffordable } from "../../src/domain/directory/filter-price.ts";

/** Whether a filter on users is not refused for its cost. */
export function isAffordable(one: ScimFilter): boolean {
  try {
    requireAffordable(["User"], one);
    return true;
  } catch {
    return false;
  }
}
