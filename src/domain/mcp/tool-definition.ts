import canonicalize from "canonicalize";
import { createHash } from "node:crypto";
import { z } from "zod";
import { jsonObject, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

/** A tool as its server defines it. */
export type ToolDefinition = { name: string } & Record<string, unknown>;

/** What a server lists, without what models don't read: `_meta`, icons and how it is to be shown. */
export const toolDefinition = jsonObject(LIMITS.mcpToolBytes)
  .transform(({ _meta: _data, icons: _icons, ...definition }) => definition)
  .pipe(z.looseObject({ name: text(LIMITS.mcpToolNameLength), inputSchema: z.looseObject({}) }));

/** A definition as canonical JSON. @see https://www.rfc-editor.org/rfc/rfc8785 */
export function writeDefinition(definition: ToolDefinition): string {
  return canonicalize(definition) ?? "";
}

/** SHA-256 of a definition's canonical JSON. */
export function hashDefinition(json: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(json).digest());
}
