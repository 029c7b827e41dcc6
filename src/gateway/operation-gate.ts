import type { ExecutionArgs, GraphQLError } from "graphql";
import type { SubscribePayload } from "graphql-ws";
import type { Logger } from "pino";
import { credentialId } from "../domain/kernel/actor.ts";
import { DomainError } from "../domain/kernel/errors.ts";
import { runInTurn } from "../domain/kernel/turns.ts";
import { schema } from "../schema/schema.ts";
import { maskError, toGraphqlError } from "./mask-error.ts";
import type { OperationLimits } from "./operation-limits.ts";
import type { SocketConnection } from "./socket-connection.ts";
import { createDocuments } from "./socket-documents.ts";

/** Admits an operation of a socket, or returns errors. */
export type OperationGate = (
  connection: SocketConnection,
  payload: SubscribePayload,
) => Promise<ExecutionArgs | GraphQLError[]>;

const OPERATIONS_PER_SOCKET = 20;

/** Applies the limits of POST /graphql, and the number of concurrent operations per socket. */
export function createOperationGate({
  limits: { rateLimit, reading, admission, takeTurn },
  log,
}: {
  limits: OperationLimits;
  log: Logger;
}): OperationGate {
  const documents = createDocuments();
  return async (connection, payload) => {
    const ctx = connection.isGone() ? undefined : connection.openCtx?.();
    if (ctx === undefined) return refuse("unauthenticated", "The socket is closed.");
    if (connection.operations.size > OPERATIONS_PER_SOCKET) {
      return refuse(
        "rate_limited",
        `A socket can run at most ${OPERATIONS_PER_SOCKET} operations at once. Complete one first.`,
      );
    }
    const { allowed } = await rateLimit(credentialId(ctx.actor) ?? "");
    if (!allowed) return refuse("rate_limited", "Too many requests per second. Send fewer.");
    const { workspaceId } = ctx;
    if (reading.isUsedUp(workspaceId))
      return refuse("rate_limited", "Too many new documents per second. Try again in a second.");
    const prepared = await runInTurn(takeTurn, workspaceId, () =>
      reading.spend(workspaceId, () => documents(payload.query, payload.operationName)),
    );
    if (!("document" in prepared)) return prepared.map((error) => maskError(error, log));
    const args = {
      schema,
      document: prepared.document,
      operationName: payload.operationName ?? null,
      variableValues: payload.variables ?? {},
      contextValue: ctx,
    };
    const rejection = await admission(args);
    return rejection === null ? args : [rejection];
  };
}

function refuse(code: DomainError["code"], message: string): GraphQLError[] {
  return [toGraphqlError(new DomainError(code, message))];
}
