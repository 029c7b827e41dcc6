import { toVisibleText } from "../to-visible-text.ts";

/** Texts of one line are quoted, so that "900" and 900 differ; those of several are shown as written. */
export function toValueText(value: unknown): { text: string; isBlock: boolean } {
  if (typeof value === "string" && value.includes("\n")) {
    return { text: toVisibleText(value, "\n\t"), isBlock: true };
  }
  return { text: toVisibleText(JSON.stringify(value) ?? "null"), isBlock: false };
}
