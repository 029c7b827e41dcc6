import type { Result } from "./method.ts";

/** A tool's answer as JSON and, for clients that know no such answers, as a text. */
export function toToolResult(answer: object): Result {
  return { content: [{ type: "text", text: JSON.stringify(answer) }], structuredContent: answer };
}
