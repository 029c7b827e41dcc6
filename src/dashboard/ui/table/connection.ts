/** A page of a list, as every connection of the schema is one. */
export type Connection<Row> = {
  nodes: readonly Row[];
  /** Null for more than 10,000 matches of a filter. */
  totalCount: number | null;
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
};
