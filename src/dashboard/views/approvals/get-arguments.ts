/** The arguments in a request, or undefined. */
export function getArguments(request: unknown): unknown {
  const properties = getMember(getMember(request, "action"), "properties");
  return getMember(properties, "arguments");
}

function getMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
