import { type ExecutionResult, GraphQLError, createSourceEventStream, execute } from "graphql";
import { type Server, makeServer } from "graphql-ws";
import type { Logger } from "pino";
import type { RateLimit } from "../http/rate-limit.ts";
import { isEventStream } from "../live/event-stream.ts";
import type { Feeds } from "../live/feeds.ts";
import { executedStream } from "./executed-stream.ts";
import { joinEvents } from "./join-events.ts";
import { maskError } from "./mask-error.ts";
import { createOperationGate } from "./operation-gate.ts";
import { pacedStream } from "./paced-stream.ts";
import type { SocketAuth } from "./socket-auth.ts";
import type { SocketConnection } from "./socket-connection.ts";

/** What the operations of sockets work with. */
export type OperationServices = {
  auth: SocketAuth;
  feeds: Feeds;
  rateLimit: RateLimit;
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

  function masked(result: ExecutionResult): ExecutionResult {
    const { errors } = result;
    return errors === undefined
      ? result
      : { ...result, errors: errors.map((error) => maskError(error, log)) };
  }

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
    onSubscribe: async ({ extra, subscriptions }, id, payload) => {
      try {
        if (id.length > ID_LENGTH) return [tooLong()];
        return await gate(extra.connection, payload, Object.keys(subscriptions).length);
      } catch (error) {
        return [maskError(error, log)];
      }
    },
    execute: async (args) => masked(await execute(args)),
    subscribe: async (args) => {
      const stream = await createSourceEventStream(args);
      if (isEventStream(stream)) return stream;
      return Symbol.asyncIterator in stream ? executedStream(stream, args, masked) : masked(stream);
    },
    // oxlint-disable-next-line eslint/max-params -- graphql-ws calls it so
    onOperation: ({ extra, subscriptions }, id, _payload, args, stream) => {
      const { connection } = extra;
      if (!(Symbol.asyncIterator in stream)) return undefined;
      if (!isEventStream(stream)) return pacedStream(stream, connection.isFull);
      // It may have been completed, or its socket closed, while it was looked up.
      if (id in subscriptions && !connection.isGone()) {
        joinEvents(connection, { id, args, stream }, services);
      }
      return undefined;
    },
  });
}

function tooLong(): GraphQLError {
  const extensions = { code: "INVALID_REQUEST" };
  return new GraphQLError(`The id of an operation has at most ${ID_LENGTH} characters.`, { extensions });
}
