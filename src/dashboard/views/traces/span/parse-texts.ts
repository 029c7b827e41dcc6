/** The members of what a span says, with objects and lists instead of their JSON, as most senders send them. */
export function parseTexts(content: unknown): unknown {
  if (typeof content !== "object" || content === null || Array.isArray(content)) return content;
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, parseText(value)]));
}

function parseText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // It was cut, or is text that only looks like it.
    return value;
  }
}
