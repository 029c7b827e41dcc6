import { graphql } from "./graphql.ts";

/** The pagination fields of a connection. */
export const PageFields = graphql(`
  fragment PageFields on PageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
`);
