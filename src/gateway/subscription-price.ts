import { type ExecutionArgs, type GraphQLError, OperationTypeNode, getOperationAST } from "graphql";
import { v7 as uuidv7 } from "uuid";
import { DomainError } from "../domain/kernel/errors.ts";
import { createGroupKey } from "./event-group.ts";
import { getFrameSelection } from "./frame-selection.ts";
import { toGraphqlError } from "./mask-error.ts";
import type { SocketConnection } from "./socket-connection.ts";
import { createWidthBudget } from "./width-budget.ts";

/** Holds the subscriptions of sockets to what their frames may cost. */
export type SubscriptionPrices = {
  /** Counts an operation that is about to begin. @returns why it is too much, or null. */
  take: (connection: SocketConnection, id: string, args: ExecutionArgs) => GraphQLError[] | null;
};

/** What is rendered once for all who ask alike: each event costs a workspace this much at most. */
const SHARED = { credential: 400, workspace: 2000, node: 100_000 };
/** What is rendered for each subscription apart: one of the widest for each socket that a credential may have. */
const APART = { credential: 10_000, workspace: 100_000, node: 500_000 };

/** Starts to count. What was taken is given back by the connection, when the operation ends or it closes. */
export function createSubscriptionPrices(): SubscriptionPrices {
  const shared = createWidthBudget(SHARED);
  const apart = createWidthBudget(APART);
  return {
    take: (connection, id, args) => {
      const { document, operationName } = args;
      const operation = getOperationAST(document, operationName ?? undefined);
      const { identity } = connection;
      if (operation?.operation !== OperationTypeNode.SUBSCRIPTION || identity === null) return null;
      // Nothing begins any more, and nothing would give it back.
      if (connection.ended.aborted) return null;
      const { width, isShared } = getFrameSelection(document, operation);
      const taken = isShared
        ? shared.take(identity, { key: createGroupKey(args), width })
        : apart.take(identity, { key: uuidv7(), width });
      if ("refusal" in taken) return [toGraphqlError(new DomainError("rate_limited", taken.refusal))];
      connection.held.set(id, taken);
      return null;
    },
  };
}
