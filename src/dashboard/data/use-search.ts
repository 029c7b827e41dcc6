import type { TadaDocumentNode } from "gql.tada";
import { useQuery } from "urql";
import { type UserProblem, toProblem } from "./problem.ts";

export type Search<Data> = {
  /** The result for the current variables, or null until it arrives. */
  data: Data | null;
  problem: UserProblem | null;
  isLoading: boolean;
};

/**
 * Runs a query for typed input. A new input cancels the previous query.
 *
 * @param variables null runs no query.
 */
export function useSearch<Data, Variables extends Record<string, unknown>>(
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
