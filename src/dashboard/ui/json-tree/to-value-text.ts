import { toVisibleText } from "../to-visible-text.ts";

/**
 * Texts are shown as written, but quoted where they could be taken for another value: "900" and 900 differ. A block
 * is one of several lines.
 */
export function toValueText(value: unknown): { text: string; isBlock: boolean } {
  if (typeof value === "string" && value.includes("\n")) {
    return { text: toVisibleText(value, "\n\t"), isBlock: true };
  }
  const isPlain = typeof value === "string" && value === value.trim() && !isJson(value);
  return { text: toVisibleText(isPlain ? value : (JSON.stringify(value) ?? "null")), isBlock: false };
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
