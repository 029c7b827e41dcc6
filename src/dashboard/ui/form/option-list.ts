import { toWords } from "../words.ts";
import type { Option } from "./select-field.tsx";

/** Options for the values of an enum, with "all" first. */
export function toOptions(values: readonly string[], all = "All"): Option[] {
  return [["", all], ...values.map((value): Option => [value, toWords(value)])];
}
