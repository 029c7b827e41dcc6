import type { TadaDocumentNode } from "gql.tada";
import type { AnyVariables, Client } from "urql";
import { type UserProblem, toProblem } from "../../../data/problem.ts";
import type { ListSource } from "../tools/fetch-rows.ts";

/** An action on several rows. */
export type BulkAct<Node> = {
  /** Such as "Cancel". */
  label: string;
  /** What the rows are afterwards, such as "canceled" or "asked to stop". */
  done: string;
  isPossible: (node: Node) => boolean;
  consequences: readonly string[];
  /** Whether it destroys or stops something. */
  isDangerous: boolean;
  /** Acts on one row. @returns why it failed, or null. */
  run: (client: Client, node: Node, reason: string | null) => Promise<UserProblem | null>;
};

/** The actions on the rows of a list. */
export type Bulk<Node> = { acts: readonly BulkAct<Node>[]; getName: (node: Node) => string };

/** The actions, and how to read the rows of all pages. */
export type ListBulk<Node, Data> = Bulk<Node> & { source: ListSource<Data, Node> };

/** Runs a mutation. @returns why it failed, or null. */
export async function runMutation<Variables extends AnyVariables>(
  client: Client,
  mutation: TadaDocumentNode<unknown, Variables>,
  variables: Variables,
): Promise<UserProblem | null> {
  const { error } = await client.mutation(mutation, variables).toPromise();
  return error === undefined ? null : toProblem(error);
}

/** How many rows are acted on at once. */
const AT_ONCE = 4;

export type Failure = { name: string; text: string };

/** Acts on rows, some at once. @returns those that failed. */
export async function runOnAll<Node>(
  nodes: readonly Node[],
  act: (node: Node) => Promise<Failure | null>,
  onProgress: (done: number) => void,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  const waiting = nodes.values();
  let done = 0;
  async function work(): Promise<void> {
    for (const node of waiting) {
      const failure = await act(node);
      if (failure !== null) failures.push(failure);
      done += 1;
      onProgress(done);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failures;
}
