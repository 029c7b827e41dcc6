import { getNamedType, isInputObjectType } from "graphql";

/** The names in arguments, at any depth. */
export function listNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...listNames(inner)]);
}

/** Arguments, at any depth, that can refer to a row: by id, secret or handle. */
export function idArguments(args: readonly { name: string; type: object }[]): string[] {
  return args.flatMap(({ name, type }) => {
    // Arguments and input fields have input types, which graphql gives one name.
    const named = getNamedType(type as Parameters<typeof getNamedType>[0]);
    if (isInputObjectType(named)) return idArguments(Object.values(named.getFields()));
    const isId = ["ID", "UUID"].includes(named?.name ?? "") || ["token", "handle"].includes(name);
    return isId && name !== "clientMutationId" ? [name] : [];
  });
}
