import type { TadaDocumentNode } from "gql.tada";
import { useState } from "react";
import { type AnyVariables, useMutation } from "urql";
import { type UserProblem, toProblem } from "./problem.ts";

/** Something that a person can do, and how it stands. */
export type Act<Data, Variables> = {
  /** Does it. @returns the answer, or null where it was refused: `problem` then tells why. */
  act: (variables: Variables) => Promise<Data | null>;
  isBusy: boolean;
  problem: UserProblem | null;
  /** Forgets the problem, such as when its form is closed. */
  clear: () => void;
};

/** Wraps a mutation for a button or a form. */
export function useAct<Data, Variables extends AnyVariables>(
  mutation: TadaDocumentNode<Data, Variables>,
): Act<Data, Variables> {
  const [{ fetching }, run] = useMutation<Data, Variables>(mutation);
  const [problem, setProblem] = useState<UserProblem | null>(null);
  return {
    act: async (variables) => {
      setProblem(null);
      const { data, error } = await run(variables);
      setProblem(error === undefined ? null : toProblem(error));
      return error === undefined ? (data ?? null) : null;
    },
    isBusy: fetching,
    problem,
    clear: () => setProblem(null),
  };
}
