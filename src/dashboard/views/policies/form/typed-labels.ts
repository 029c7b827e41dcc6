import { parseJson } from "../../commands/form/parse-json.ts";
import { parseLabels } from "../../../data/parse-labels.ts";

/** Labels as a person writes them: `site=hall-a, zone=*`, or as JSON where that would mean something else. */
export function formatLabels(labels: unknown): string {
  if (typeof labels !== "object" || labels === null) return "";
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(", ");
  return JSON.stringify(parseLabels(text)) === JSON.stringify(labels) && !text.startsWith("{")
    ? text
    : JSON.stringify(labels);
}

/** @returns null for no labels, undefined if they can't be read. */
export function parseTypedLabels(text: string): unknown {
  if (text.trim() === "") return null;
  if (!text.trim().startsWith("{")) return parseLabels(text) ?? undefined;
  const read = parseJson(text);
  return read.isValid ? read.value : undefined;
}
