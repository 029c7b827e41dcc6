/** A value as it arrives where it is sent as JSON. @throws {TypeError} for one that can't be. */
export function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null) ?? "null");
}
