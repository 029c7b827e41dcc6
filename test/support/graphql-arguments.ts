import { getNamedType, isInputObjectType } from "graphql";

/** The names in arguments, at any depth. */
export function listNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listNames(inner)]);
}

/** The arguments, at any depth, that can name a row: by an id, a secret or a handle. */
export function idArguments(args: readonly { name: string; type: object }[]): string[] {
  return args.flatMap(({ name, type }) => {
    // A field's arguments and an input's fields have input types, which graphql calls by one name.
    const named = getNamedType(type as Parameters<typeof getNamedType>[0]);
    if (isInputObjectType(named)) return idArguments(Object.values(named.getFields()));
    const isId = ["ID", "UUID"].includes(named?.name ?? "") || ["token", "handle"].includes(name);
    return isId && name !== "clientMutationId" ? [name] : [];
  });
}
