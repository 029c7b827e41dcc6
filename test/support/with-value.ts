/** A copy of a JSON value with another value in one place; objects on the way there are made where they lack. */
export function withValue(json: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const isHeld = typeof json === "object" && json !== null;
  // What is no object is replaced by one.
  const copy = (isHeld ? structuredClone(json) : /^\d+$/.test(key) ? [] : {}) as Record<string, unknown>;
  return Object.assign(copy, { [key]: rest.length === 0 ? value : withValue(copy[key], rest, value) });
}
