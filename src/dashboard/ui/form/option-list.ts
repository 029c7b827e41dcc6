import { toWords } from "../words.ts";
import type { Option } from "./select-field.tsx";

/** The values of an enum to choose from, and all of them first. */
export function toOptions(values: readonly string[], all = "All"): Option[] {
  return [["", all], ...values.map((value): Option => [value, toWords(value)])];
}
