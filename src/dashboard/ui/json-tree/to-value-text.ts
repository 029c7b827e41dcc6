import { toVisibleText } from "../to-visible-text.ts";

/**
 * A value as JSON. Texts of several lines (a block) are shown as written; a plain text is so too, but for what could
 * be taken for another value: "900" and 900 differ.
 */
export function toValueText(value: unknown, isPlain = false): { text: string; isBlock: boolean } {
  if (typeof value === "string" && value.includes("\n")) {
    return { text: toVisibleText(value, "\n\t"), isBlock: true };
  }
  const isAsWritten = isPlain && typeof value === "string" && value === value.trim() && !isJson(value);
  return { text: toVisibleText(isAsWritten ? value : (JSON.stringify(value) ?? "null")), isBlock: false };
}

/** Whether a text reads as a JSON value, also a text in quotes and an empty one. */
function isJson(text: string): boolean {
  if (text === "") return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
