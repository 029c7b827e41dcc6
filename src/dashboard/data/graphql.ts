import { initGraphQLTada } from "gql.tada";
import type { introspection } from "../../schema/graphql-env.d.ts";
import type { TraceSkeleton } from "./trace-skeleton.ts";

/** Types the dashboard's documents against schema.graphql. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: {
    Cursor: string;
    DateTime: string;
    Decimal: string;
    DirectoryFilter: unknown;
    DirectoryOperation: unknown;
    ID: string;
    JSON: unknown;
    Part: unknown;
    Scope: string;
    TraceSkeleton: TraceSkeleton;
    UUID: string;
  };
}>();
