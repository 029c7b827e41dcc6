import {
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  createSourceEventStream,
  execute,
} from "graphql";
import { type Context, type Server, makeServer } from "graphql-ws";
import type { Logger } from "pino";
import { credentialId } from "../domain/actor.ts";
import { DomainError } from "../domain/errors.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import { schema } from "../schema/schema.ts";
import { CLOSINGS } from "../live/closings.ts";
import { type EventStream, isEventStream } from "../live/event-stream.ts";
import type { Feeds } from "../live/feeds.ts";
import { openSubscription } from "../live/subscription.ts";
import { createGroup } from "./event-group.ts";
import { executedStream } from "./executed-stream.ts";
import { costRefusal } from "./limits.ts";
import { maskError, refusalError } from "./mask-error.ts";
import type { SocketAuth } from "./socket-auth.ts";
import type { SocketConnection } from "./socket-connection.ts";
import { createDocuments } from "./socket-documents.ts";

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
type Init = Record<string, unknown>;

const SUBSCRIPTIONS_PER_SOCKET = 20;

/**
 * The protocol graphql-transport-ws for our schema. Queries and mutations are held to the limits of POST
 * /graphql. What `events` brings is written by the feed itself, once for all who asked the same.
 */
export function createOperations(services: OperationServices): Server<Extra> {
  const documents = createDocuments();
  const { log } = services;

  async function begin(
    { extra, subscriptions }: Context<Init, Extra>,
    payload: { query: string; operationName?: string | null | undefined; variables?: Init | null | undefined },
  ): Promise<ExecutionArgs | readonly GraphQLError[]> {
    const ctx = extra.connection.openCtx?.();
    if (ctx === undefined || extra.connection.isGone()) return refuse("unauthenticated", "The socket is closed.");
    if (Object.keys(subscriptions).length > SUBSCRIPTIONS_PER_SOCKET) {
      return refuse("rate_limited", `A socket has at most ${SUBSCRIPTIONS_PER_SOCKET} operations at once.`);
    }
    const { allowed } = await services.rateLimit(credentialId(ctx.actor) ?? "");
    if (!allowed) return refuse("rate_limited", "Too many requests in this second.");
    const prepared = documents(payload.query, payload.operationName);
    if (!("document" in prepared)) return prepared.map((error) => maskError(error, log));
    const args = {
      schema,
      document: prepared.document,
      operationName: payload.operationName ?? null,
      variableValues: payload.variables ?? {},
      contextValue: ctx,
    };
    const refusal = costRefusal(args);
    return refusal === null ? args : [refusal];
  }

  function masked(result: ExecutionResult): ExecutionResult {
    const { errors } = result;
    return errors === undefined ? result : { ...result, errors: errors.map((error) => maskError(error, log)) };
  }

  function join(connection: SocketConnection, { id, args, stream }: Joining): void {
    const subscription = openSubscription(stream.request, createGroup(args, stream.request, log), {
      isFull: connection.isFull,
      write: outletOf(connection, id),
    });
    connection.subscriptions.add(subscription);
    void stream.ended.then(() => {
      connection.subscriptions.delete(subscription);
      services.feeds.leave(subscription);
    });
    services.feeds.join(subscription).catch((error: unknown) => {
      log.debug({ err: error }, "events can't be followed at this moment");
      connection.kill(CLOSINGS.unavailable);
    });
  }

  return makeServer<Init, Extra>({
    connectionInitWaitTimeout: 3000,
    onConnect: async (context) => {
      const { connection } = context.extra;
      const isIn = await services.auth.init(connection, context.connectionParams ?? {});
      // The token would stay in memory as long as the socket.
      Object.assign(context, { connectionParams: undefined });
      if (isIn) services.admitted(connection);
      return isIn;
    },
    onSubscribe: async (context, _id, payload) => {
      try {
        // graphql-ws wants an array that it may keep.
        const begun = await begin(context, payload);
        return "schema" in begun ? begun : [...begun];
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
    onOperation: ({ extra, subscriptions }, id, _payload, args, result) => {
      // It may have been completed, or its socket closed, while it was looked up.
      if (!isEventStream(result) || !(id in subscriptions) || extra.connection.isGone()) return;
      join(extra.connection, { id, args, stream: result });
    },
  });
}

type Joining = { id: string; args: ExecutionArgs; stream: EventStream };

function outletOf(connection: SocketConnection, id: string): (bodies: readonly Buffer[]) => void {
  const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  return (bodies) => connection.sendBodies(before, bodies);
}

function refuse(code: DomainError["code"], message: string): GraphQLError[] {
  return [refusalError(new DomainError(code, message))];
}
