/** A page of a list, as every connection of the schema is one. */
export type Connection<Row> = {
  nodes: readonly Row[];
  /** Null for more matches than the server counts, which are 10,000 of most lists. */
  totalCount: number | null;
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
};
