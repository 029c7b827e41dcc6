import { wordsOf } from "../words.ts";
import type { Option } from "./select-field.tsx";

/** The values of an enum to choose from, and all of them first. */
export function optionsOf(values: readonly string[], all = "All"): Option[] {
  return [["", all], ...values.map((value): Option => [value, wordsOf(value)])];
}
