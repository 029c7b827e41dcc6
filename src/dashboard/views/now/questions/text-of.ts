/** What a message's parts say; of what is no text, what it is. */
export function textOf(parts: readonly unknown[]): string {
  return parts.map(partText).join("\n");
}

function partText(part: unknown): string {
  if (typeof part !== "object" || part === null) return "";
  if ("text" in part && typeof part.text === "string") return part.text;
  if ("data" in part) return JSON.stringify(part.data);
  if ("url" in part && typeof part.url === "string") return part.url;
  return "(a file)";
}
