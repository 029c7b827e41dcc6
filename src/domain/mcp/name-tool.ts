/** The action of calling a tool, in requests to the gateway. */
export const CALL_TOOL = "tools/call";

/** How a server's tool is named as a resource: `shop.refund`. */
export function toToolId(slug: string, name: string): string {
  return `${slug}.${name}`;
}
