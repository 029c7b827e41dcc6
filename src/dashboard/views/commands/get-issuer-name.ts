/** Who issued a command, for people: what the service does by itself has the product's name. */
export function getIssuerName({ type, name }: { type: string; name: string }): string {
  return type === "SYSTEM" ? "Agent Ops" : name;
}
