import type { TadaDocumentNode } from "gql.tada";
import { useState } from "react";
import { type AnyVariables, type CombinedError, useMutation } from "urql";
import { askForPassword } from "./password-request.ts";
import { type UserProblem, toProblem } from "./problem.ts";

/** A mutation and its state. */
export type Act<Data, Variables> = {
  /** Runs the mutation. @returns its result, or null if it failed: then `problem` is set. */
  act: (variables: Variables) => Promise<Data | null>;
  isBusy: boolean;
  problem: UserProblem | null;
  /** Clears the problem, such as when a form is closed. */
  clear: () => void;
};

/**
 * Wraps a mutation for use by a button or form. One that requires a recent confirmation of the password asks for it
 * and runs again.
 */
export function useAct<Data, Variables extends AnyVariables>(
  mutation: TadaDocumentNode<Data, Variables>,
): Act<Data, Variables> {
  const [{ fetching }, run] = useMutation<Data, Variables>(mutation);
  const [problem, setProblem] = useState<UserProblem | null>(null);
  return {
    act: async (variables) => {
      setProblem(null);
      let { data, error } = await run(variables);
      if (needsPassword(error) && (await askForPassword())) ({ data, error } = await run(variables));
      setProblem(error === undefined ? null : toProblem(error));
      return error === undefined ? (data ?? null) : null;
    },
    isBusy: fetching,
    problem,
    clear: () => setProblem(null),
  };
}

function needsPassword(error: CombinedError | undefined): boolean {
  return error !== undefined && toProblem(error).code === "SUDO_REQUIRED";
}
