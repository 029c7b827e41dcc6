/** A page of a GraphQL connection. */
export type Connection<Row> = {
  nodes: readonly Row[];
  /** Null if there are more matches than the server counts: 10,000 for most lists. */
  totalCount: number | null;
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
};
