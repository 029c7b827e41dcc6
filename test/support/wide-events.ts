/** A subscription to events with this many fields, with unique aliases. */
export function wideEvents(prefix: string, count: number, choice = ""): string {
  const fields = Array.from({ length: count }, (_, at) => `${prefix}${at}: seq`).join(" ");
  return `subscription { events${choice} { ... on Event { ${fields} } } }`;
}
