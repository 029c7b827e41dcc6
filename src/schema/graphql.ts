import { initGraphQLTada } from "gql.tada";
import type { Filter } from "../domain/directory/filter.ts";
import type { Operation } from "../domain/directory/operation.ts";
import type { introspection } from "./graphql-env.d.ts";

/** Types a GraphQL document of ours against schema.graphql. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    Cursor: string;
    DateTime: string;
    DirectoryFilter: Filter;
    DirectoryOperation: Operation;
    ID: string;
    JSON: unknown;
    Part: unknown;
    Scope: string;
    UUID: string;
  };
}>();
