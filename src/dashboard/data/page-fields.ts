import { graphql } from "./graphql.ts";

/** What a pager needs of a connection beside its total. */
export const PageFields = graphql(`
  fragment PageFields on PageInfo {
    hasNextPage
    hasPreviousPage
    startCursor
    endCursor
  }
`);
