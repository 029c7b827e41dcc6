import type { TadaDocumentNode } from "gql.tada";
import { useState } from "react";
import { type AnyVariables, useClient } from "urql";
import { type UserProblem, toProblem } from "./problem.ts";

/** A query that runs when a button is pressed, and its last result. */
export type Ask<Data, Variables> = {
  ask: (variables: Variables) => Promise<void>;
  /** The last result, and what was asked. */
  answer: { data: Data; variables: Variables } | null;
  isBusy: boolean;
  problem: UserProblem | null;
};

/** Wraps a query whose answer takes long, or depends on much that is typed. Nothing is remembered. */
export function useAsk<Data, Variables extends AnyVariables>(
  query: TadaDocumentNode<Data, Variables>,
): Ask<Data, Variables> {
  const client = useClient();
  const [answer, setAnswer] = useState<{ data: Data; variables: Variables } | null>(null);
  const [problem, setProblem] = useState<UserProblem | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function ask(variables: Variables): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    const { data, error } = await client
      .query<Data>(query, variables as Record<string, unknown>, { requestPolicy: "network-only" })
      .toPromise();
    setIsBusy(false);
    setProblem(error === undefined ? null : toProblem(error));
    setAnswer(error === undefined && data !== undefined ? { data, variables } : null);
  }

  return { ask, answer, isBusy, problem };
}
