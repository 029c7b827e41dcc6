import type { TadaDocumentNode } from "gql.tada";
import type { Client } from "urql";
import { type UserProblem, toProblem } from "../../../data/problem.ts";
import type { Connection } from "../connection.ts";

/** A list that can be read page by page: its query, without the page. */
export type ListSource<Data, Row = object> = {
  query: TadaDocumentNode<Data, PageOf>;
  variables: Record<string, unknown>;
  /** The list in the query's result. */
  pick: (data: Data) => Connection<Row>;
};

type PageOf = { first?: number | null; after?: string | null };

/** The most rows of an export. */
export const MAX_ROWS = 10_000;

const PAGE_SIZE = 100;

/** Reads a list from its beginning. @returns at most as many rows, or why a page could not be read. */
export async function fetchRows<Data, Row>(
  client: Client,
  { query, variables, pick }: ListSource<Data, Row>,
  maxRows: number,
): Promise<{ rows: Row[]; isWhole: boolean } | { problem: UserProblem }> {
  const rows: Row[] = [];
  let after: string | null = null;
  while (rows.length < maxRows) {
    const page: PageOf = { ...variables, first: PAGE_SIZE, after };
    const { data, error } = await client.query(query, page, { requestPolicy: "network-only" }).toPromise();
    if (error !== undefined) return { problem: toProblem(error) };
    if (data === undefined) return { rows, isWhole: false };
    const { nodes, pageInfo } = pick(data);
    rows.push(...nodes);
    after = pageInfo.endCursor;
    if (!pageInfo.hasNextPage || after === null) return { rows, isWhole: true };
  }
  return { rows, isWhole: false };
}
