import { type ExecutionArgs, type GraphQLError, OperationTypeNode, getOperationAST } from "graphql";
import { v7 as uuidv7 } from "uuid";
import { DomainError } from "../domain/kernel/errors.ts";
import { createGroupKey } from "./event-group.ts";
import { getFrameSelection } from "./frame-selection.ts";
import { toGraphqlError } from "./mask-error.ts";
import type { SocketConnection } from "./socket-connection.ts";
import { createWidthBudget } from "./width-budget.ts";

/** Limits the cost of frames of all running subscriptions. */
export type SubscriptionPrices = {
  /** Counts an operation before it starts. @returns errors if it exceeds a limit, otherwise null. */
  take: (connection: SocketConnection, id: string, args: ExecutionArgs) => GraphQLError[] | null;
};

/** Limits for frames that are rendered once per group. */
const SHARED = { credential: 400, workspace: 2000, node: 100_000 };
/**
 * Limits for frames that are rendered per subscription: enough for one of the widest on each socket of a
 * credential.
 */
const APART = { credential: 10_000, workspace: 100_000, node: 500_000 };

/** The connection gives the count back when the operation ends or the socket closes. */
export function createSubscriptionPrices(): SubscriptionPrices {
  const shared = createWidthBudget(SHARED);
  const apart = createWidthBudget(APART);
  return {
    take: (connection, id, args) => {
      const { document, operationName } = args;
      const operation = getOperationAST(document, operationName ?? undefined);
      const { identity } = connection;
      if (operation?.operation !== OperationTypeNode.SUBSCRIPTION || identity === null) return null;
      // The socket is closing: nothing would give the count back.
      if (connection.ended.aborted) return null;
      const { width, isShared } = getFrameSelection(document, operation);
      const taken = isShared
        ? shared.take(identity, { key: createGroupKey(args), width })
        : apart.take(identity, { key: uuidv7(), width });
      if ("reason" in taken) return [toGraphqlError(new DomainError("rate_limited", taken.reason))];
      connection.held.set(id, taken);
      return null;
    },
  };
}
