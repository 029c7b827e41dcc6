import { isObject } from "../../kernel/is-object.ts";

/** Finds out which paths of a request, such as `args.amount`, lead to a text that is not known, or to what has one. */
export function createUnknownTest(
  variables: Record<string, unknown>,
  isHidden: (text: string) => boolean,
): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const found = known.get(path) ?? leadsToHidden(variables, path, isHidden);
    known.set(path, found);
    return found;
  };
}

type HiddenTest = (text: string) => boolean;

function leadsToHidden(variables: Record<string, unknown>, path: string, isHidden: HiddenTest): boolean {
  const [root = "", ...keys] = parsePath(path);
  let value = variables[root];
  for (const key of keys) {
    if (hidesMembers(value, isHidden)) return true;
    value = getMember(value, key);
  }
  return containsHidden(value, isHidden);
}

/** The variable and its members, as `getPath` writes them. */
function parsePath(path: string): string[] {
  return Array.from(path.matchAll(/[A-Za-z_]\w*|\[("(?:[^"\\]|\\.)*"|-?\d+)\]/g), ([whole, index]) =>
    index === undefined ? whole : String(JSON.parse(index)),
  );
}

function getMember(value: unknown, key: string): unknown {
  if (value instanceof Map) return value.get(key);
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) ? value[key] : undefined;
}

/** A member whose name is not known could be any. */
function hidesMembers(value: unknown, isHidden: HiddenTest): boolean {
  if (typeof value === "string") return isHidden(value);
  return value instanceof Map && [...value.keys()].some((name) => isHidden(String(name)));
}

function containsHidden(value: unknown, isHidden: HiddenTest): boolean {
  if (hidesMembers(value, isHidden)) return true;
  if (value instanceof Map) return [...value.values()].some((member) => containsHidden(member, isHidden));
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => containsHidden(member, isHidden));
}
