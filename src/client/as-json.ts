/** The value as it will arrive when sent as JSON. @throws {TypeError} if it can't be serialised. */
export function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null) ?? "null");
}
