/** Message parts as one line of text, with placeholders for other content. */
export function toMessageText(parts: readonly unknown[]): string {
  return parts.map(toPartText).join(" · ");
}

function toPartText(part: unknown): string {
  if (typeof part !== "object" || part === null) return "";
  if ("text" in part && typeof part.text === "string") return part.text;
  if ("data" in part) return JSON.stringify(part.data);
  if ("filename" in part && typeof part.filename === "string") return part.filename;
  return "url" in part && typeof part.url === "string" ? part.url : "a file";
}
