/** A subscription to events that asks for so many fields of each, whose names nobody else has. */
export function wideEvents(prefix: string, count: number, choice = ""): string {
  const fields = Array.from({ length: count }, (_, at) => `${prefix}${at}: seq`).join(" ");
  return `subscription { events${choice} { ... on Event { ${fields} } } }`;
}
