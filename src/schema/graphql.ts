import type { initGraphQLTada } from "gql.tada";
import { type DefinitionNode, type DocumentNode, Kind, parse } from "graphql";
import type { ScimFilter } from "../domain/directory/filter.ts";
import type { PatchOperation } from "../domain/directory/patch-operation.ts";
import type { introspection } from "./graphql-env.d.ts";

type Graphql = ReturnType<
  typeof initGraphQLTada<{
    introspection: introspection;
    disableMasking: true;
    scalars: {
      Cursor: string;
      DateTime: string;
      DirectoryFilter: ScimFilter;
      DirectoryOperation: PatchOperation;
      ID: string;
      JSON: unknown;
      Part: unknown;
      Scope: string;
      UUID: string;
    };
  }>
>;

/**
 * Parses a GraphQL document with the given fragments, typed against schema.graphql by gql.tada. Only
 * gql.tada's types are used: its run-time code would import the TypeScript compiler.
 *
 * @throws {GraphQLError} if the text can't be parsed.
 */
export const graphql = parseDocument as Graphql;

function parseDocument(text: string, fragments: readonly DocumentNode[] = []): DocumentNode {
  const definitions = new Set<DefinitionNode>(parse(text, { noLocation: true }).definitions);
  for (const fragment of fragments)
    for (const definition of fragment.definitions) definitions.add(definition);
  return { kind: Kind.DOCUMENT, definitions: [...definitions] };
}
