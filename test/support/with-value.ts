/** A copy of a JSON value with another value in one place. Missing objects on the path are created. */
export function withValue(json: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const isHeld = typeof json === "object" && json !== null;
  // Anything but an object is replaced by one.
  const copy = (isHeld ? structuredClone(json) : /^\d+$/.test(key) ? [] : {}) as Record<string, unknown>;
  return Object.assign(copy, { [key]: rest.length === 0 ? value : withValue(copy[key], rest, value) });
}
