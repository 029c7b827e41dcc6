/** Converts `assigneeAgentId` to `assignee_agent_id`. Plain words are left alone. */
export function toWireName(text: string): string {
  return text.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}

/** Converts only the first segment of a path: the others may be the caller's own names, such as a label's. */
export function toWirePath(path: string): string {
  const [head = "", ...rest] = path.split(".");
  return [toWireName(head), ...rest].join(".");
}
