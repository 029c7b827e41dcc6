import type { TadaDocumentNode } from "gql.tada";
import { useQuery } from "urql";
import { type UserProblem, toProblem } from "./problem.ts";

/** What a search found. */
export type Search<Data> = {
  /** The answer to just what was asked; null until it is there. */
  data: Data | null;
  problem: UserProblem | null;
  isLoading: boolean;
};

/**
 * Asks a query for what is typed. What was asked before is given up, and its answer is never shown.
 *
 * @param variables null asks nothing.
 */
export function useSearch<Data, Variables extends Record<string, string | null | undefined>>(
  query: TadaDocumentNode<Data, Variables>,
  variables: Variables | null,
): Search<Data> {
  const asked: Record<string, unknown> = variables ?? {};
  const [{ data, error, fetching, operation }] = useQuery<Data>({
    query,
    variables: asked,
    pause: variables === null,
  });
  const isOurs = variables !== null && JSON.stringify(operation?.variables) === JSON.stringify(asked);
  return {
    data: isOurs ? (data ?? null) : null,
    problem: isOurs && error !== undefined && data === undefined ? toProblem(error) : null,
    isLoading: variables !== null && (fetching || !isOurs),
  };
}
