import type { KeyOwner } from "./use-mint.ts";

/** Whom the key is for, as it was entered: an agent that exists, by its UUID, or the name of a new one. */
export type TypedAgent = {
  isNew: boolean;
  uuid: string;
  name: string;
  /** Null while it follows the name. */
  handle: string | null;
};

export const NOBODY: TypedAgent = { isNew: true, uuid: "", name: "", handle: null };

export function toOwner(typed: TypedAgent): KeyOwner {
  const handle = getHandle(typed);
  const name = typed.name.trim();
  return typed.isNew ? { handle, name: name === "" ? handle : name } : { uuid: typed.uuid };
}

/** The handle as it was entered, or one for the name: "Ada's laptop" becomes "ada-s-laptop". */
export function getHandle({ name, handle }: TypedAgent): string {
  if (handle !== null) return handle;
  const plain = name.normalize("NFKD").toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 60);
}
