import { CLOSINGS } from "../live/closings.ts";
import { isEventStream, type EventStream } from "../live/event-stream.ts";
import type { Feeds } from "../live/feeds.ts";
import { openSubscription } from "../live/subscription.ts";
import { createAnswerStream } from "./create-answer-stream.ts";
import { createGroup } from "./event-group.ts";
import { executeStream } from "./execute-stream.ts";
import { maskError } from "./mask-error.ts";
import { createOperationGate } from "./operation-gate.ts";
import type { OperationLimits } from "./operation-limits.ts";
import { paceStream } from "./pace-stream.ts";
import type { SocketAuth } from "./socket-auth.ts";
import type { SocketConnection } from "./socket-connection.ts";
import { createSubscriptionPrices } from "./subscription-price.ts";
import { type ExecutionResult, GraphQLError, createSourceEventStream, type ExecutionArgs } from "graphql";
import { type Server, makeServer } from "graphql-ws";
import type { Logger } from "pino";

/** The services of socket operations. */
export type OperationServices = {
  auth: SocketAuth;
  feeds: Feeds;
  limits: OperationLimits;
  log: Logger;
  /** Called when a socket is authenticated. */
  admitted: (connection: SocketConnection) => void;
};

type Extra = { connection: SocketConnection };

/** The longest operation id: every frame of the operation repeats it. */
const ID_LENGTH = 256;

/**
 * Serves the protocol graphql-transport-ws. Queries and mutations have the limits of POST /graphql. Frames
 * of `events` are written by the feed, rendered once per group of equal subscriptions.
 *
 * @see https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export function createOperations(services: OperationServices): Server<Extra> {
  const { log } = services;
  const gate = createOperationGate(services);
  const prices = createSubscriptionPrices();
  const maskResult = createResultMask(log);

  return makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: 3000,
    onConnect: async (context) => {
      const { connection } = context.extra;
      const isIn = await services.auth.init(connection, context.connectionParams ?? {});
      // Otherwise the token would stay in memory as long as the socket.
      Object.assign(context, { connectionParams: undefined });
      if (isIn) services.admitted(connection);
      return isIn;
    },
    onSubscribe: async ({ extra: { connection }, subscriptions }, id, payload) => {
      if (id.length > ID_LENGTH) return [createLongIdError()];
      if (connection.operations.has(id)) return rejectDuplicate(connection, subscriptions, id);
      connection.operations.set(id, null);
      const passed = await gate(connection, payload).catch((error: unknown) => [maskError(error, log)]);
      const opening = Array.isArray(passed) ? passed : (prices.take(connection, id, passed) ?? passed);
      // Otherwise the text would stay in memory as long as the operation.
      Object.assign(payload, { query: "" });
      if (Array.isArray(opening)) connection.over(id);
      return opening;
    },
    onComplete: ({ extra }, id) => extra.connection.over(id),
    execute: (args) => createAnswerStream(args, { mask: maskResult, rateLimit: services.limits.rateLimit }),
    subscribe: async (args) => {
      const stream = await createSourceEventStream(args);
      if (isEventStream(stream)) return stream;
      if (!(Symbol.asyncIterator in stream)) return maskResult(stream);
      const { takeTurn } = services.feeds;
      return executeStream(stream, args, {
        takeTurn,
        mask: maskResult,
        maskError: (error) => maskError(error, log),
      });
    },
    // oxlint-disable-next-line eslint/max-params -- graphql-ws calls it with these
    onOperation: ({ extra, subscriptions }, id, _payload, args, stream) => {
      const { connection } = extra;
      if (!(Symbol.asyncIterator in stream)) return closeIfUnavailable(connection, stream);
      if (!isEventStream(stream)) return paceForSocket(connection, stream);
      // The operation may have been completed, or the socket closed, during the look-up.
      if (id in subscriptions && !connection.isGone()) {
        joinEvents(connection, { id, args, stream }, services);
      }
      return undefined;
    },
  });
}

function createResultMask(log: Logger): (result: ExecutionResult) => ExecutionResult {
  return (result) => {
    const { errors } = result;
    if (errors === undefined) return result;
    return { ...result, errors: errors.map((error) => maskError(error, log)) };
  };
}

/**
 * Rejects an operation whose id belongs to a completed operation that has not ended yet. graphql-ws
 * identifies both by the id: the end of the first would be taken for the end of the second.
 */
function rejectDuplicate(
  connection: SocketConnection,
  subscriptions: Record<string, unknown>,
  id: string,
): GraphQLError[] {
  const errors = [createSocketRequestError("An operation with this id has not ended yet. Use another id.")];
  Reflect.deleteProperty(subscriptions, id);
  // Sent directly: graphql-ws sends nothing for ids without an entry.
  connection.send(JSON.stringify({ id, type: "error", payload: errors }));
  return errors;
}

function paceForSocket<Value>(connection: SocketConnection, stream: AsyncIterable<Value>) {
  function onError(error: unknown): void {
    closeIfUnavailable(connection, { errors: [error] });
  }
  return paceStream(stream, { isFull: connection.isFull, onError });
}

/**
 * Closes the socket if a subscription can't start or continue at the moment, so that the client reconnects.
 */
function closeIfUnavailable(connection: SocketConnection, result: object): undefined {
  const errors: unknown[] = "errors" in result && Array.isArray(result.errors) ? result.errors : [];
  const isAway = errors.some(
    (error) => error instanceof GraphQLError && error.extensions["code"] === "UNAVAILABLE",
  );
  if (isAway) connection.close(CLOSINGS.unavailable);
}

function createLongIdError(): GraphQLError {
  return createSocketRequestError(
    `The operation's id is too long. At most ${ID_LENGTH} characters are allowed.`,
  );
}

function createSocketRequestError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "INVALID_REQUEST" } });
}

/** A socket's subscription to events, with the id that the client gave it. */
type Joining = { id: string; args: ExecutionArgs; stream: EventStream };

/** Lets the workspace's feed write a stream's frames to its socket until the stream ends. */
function joinEvents(
  connection: SocketConnection,
  { id, args, stream }: Joining,
  { feeds, log }: { feeds: Feeds; log: Logger },
): void {
  const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  const subscription = openSubscription(stream.request, createGroup(args, stream.request, log), {
    isFull: connection.isFull,
    write: (bodies) => connection.sendBodies(before, bodies),
  });
  connection.operations.set(id, subscription);
  stream.onEnd(() => feeds.leave(subscription));
  feeds.join(subscription).catch((error: unknown) => {
    log.debug({ err: error }, "events can't be followed at the moment");
    connection.kill(CLOSINGS.unavailable);
  });
}
