import { isObject } from "../../../src/domain/kernel/is-object.ts";
import type { Call } from "../call.ts";
import { META } from "../protocol.ts";

/** What a client says of itself, without what it could do for a server: none may use an agent's model or user. */
export function cutMeta({
  era,
  params: { _meta: meta },
}: Pick<Call, "era" | "params">): Record<string, unknown> {
  const given = isObject(meta) ? meta : {};
  const kept = Object.entries(given).filter(([name]) => !name.startsWith("agent-ops/"));
  return {
    ...Object.fromEntries(kept),
    ...(era.name === "modern" && { [META.clientCapabilities]: {} }),
  };
}
