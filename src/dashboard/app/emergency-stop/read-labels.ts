import { parseLabels } from "../../data/parse-labels.ts";

/** Reads labels as a person writes them. Null for none; the text itself if it has none, which the server rejects. */
export function readLabels(text: string): Record<string, string> | string | null {
  return text.trim() === "" ? null : (parseLabels(text) ?? text);
}
