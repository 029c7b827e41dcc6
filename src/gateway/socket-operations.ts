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

/** What the operations of sockets work with. */
export type OperationServices = {
  auth: SocketAuth;
  feeds: Feeds;
  limits: OperationLimits;
  log: Logger;
  /** Told whom a socket was found to be of. */
  admitted: (connection: SocketConnection) => void;
};

type Extra = { connection: SocketConnection };

/** Every frame of an operation carries its id. */
const ID_LENGTH = 256;

/**
 * The protocol graphql-transport-ws for our schema. Queries and mutations are held to the limits of POST
 * /graphql. What `events` brings is written by the feed itself, once for all who asked the same.
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
      // The token would stay in memory as long as the socket.
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
      // The text would stay in memory as long as the operation.
      Object.assign(payload, { query: "" });
      if (Array.isArray(opening)) connection.over(id);
      return opening;
    },
    onComplete: ({ extra }, id) => extra.connection.over(id),
    execute: (args) => createAnswerStream(args, maskResult),
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
    // oxlint-disable-next-line eslint/max-params -- graphql-ws calls it so
    onOperation: ({ extra, subscriptions }, id, _payload, args, stream) => {
      const { connection } = extra;
      if (!(Symbol.asyncIterator in stream)) return closeIfUnavailable(connection, stream);
      if (!isEventStream(stream)) return paceForSocket(connection, stream);
      // It may have been completed, or its socket closed, while it was looked up.
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
 * Refuses an operation whose id is that of one that was completed and still ends. graphql-ws knows both by the id
 * alone: the end of the first would be taken for that of the second, which then nothing could end.
 */
function rejectDuplicate(
  connection: SocketConnection,
  subscriptions: Record<string, unknown>,
  id: string,
): GraphQLError[] {
  const errors = [createSocketRequestError("An operation of this id has not ended yet: take another id.")];
  Reflect.deleteProperty(subscriptions, id);
  // It tells nobody of what it has no entry for.
  connection.send(JSON.stringify({ id, type: "error", payload: errors }));
  return errors;
}

function paceForSocket<Value>(connection: SocketConnection, stream: AsyncIterable<Value>) {
  function onError(error: unknown): void {
    closeIfUnavailable(connection, { errors: [error] });
  }
  return paceStream(stream, { isFull: connection.isFull, onError });
}

/** A subscription that can't begin or go on at this moment does so when its client comes back. */
function closeIfUnavailable(connection: SocketConnection, result: object): undefined {
  const errors: unknown[] = "errors" in result && Array.isArray(result.errors) ? result.errors : [];
  const isAway = errors.some(
    (error) => error instanceof GraphQLError && error.extensions["code"] === "UNAVAILABLE",
  );
  if (isAway) connection.close(CLOSINGS.unavailable);
}

function createLongIdError(): GraphQLError {
  return createSocketRequestError(`The id of an operation has at most ${ID_LENGTH} characters.`);
}

function createSocketRequestError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "INVALID_REQUEST" } });
}

/** A stream of events that a socket has subscribed to, under the id that the client gave it. */
type Joining = { id: string; args: ExecutionArgs; stream: EventStream };

/** Lets the feed of its workspace write a stream's frames on its socket until it ends. */
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
    log.debug({ err: error }, "events can't be followed at this moment");
    connection.kill(CLOSINGS.unavailable);
  });
}
