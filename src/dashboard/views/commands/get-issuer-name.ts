/** The name of a command's issuer. The system is shown as the product's name. */
export function getIssuerName({ type, name }: { type: string; name: string }): string {
  return type === "SYSTEM" ? "Agent Ops" : name;
}
