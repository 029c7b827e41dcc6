import { isObject } from "../../kernel/is-object.ts";

/**
 * Finds out which paths of a request, such as `args.amount`, lead to a text that is not known, or to what has one. Each
 * value is looked through once, however many paths lead to it.
 */
export function createUnknownTest(
  variables: Record<string, unknown>,
  isHidden: (text: string) => boolean,
): (path: string) => boolean {
  /** A member whose name is not known could be any. */
  const hidesMembers = remember((value: unknown) => {
    if (typeof value === "string") return isHidden(value);
    return value instanceof Map && [...value.keys()].some((name) => isHidden(String(name)));
  });
  const containsHidden: (value: unknown) => boolean = remember((value) => {
    if (hidesMembers(value)) return true;
    if (typeof value !== "object" || value === null) return false;
    const members: unknown[] = value instanceof Map ? [...value.values()] : Object.values(value);
    return members.some(containsHidden);
  });
  return remember((path) => {
    const [root = "", ...keys] = parsePath(path);
    let value = variables[root];
    for (const key of keys) {
      if (hidesMembers(value)) return true;
      value = getMember(value, key);
    }
    return containsHidden(value);
  });
}

/** Keeps the results of a test. */
function remember<Value>(test: (value: Value) => boolean): (value: Value) => boolean {
  const known = new Map<Value, boolean>();
  return (value) => {
    const result = known.get(value) ?? test(value);
    known.set(value, result);
    return result;
  };
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
