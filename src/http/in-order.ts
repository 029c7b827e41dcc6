import { type EventEmitter, once } from "node:events";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

type Env = { incoming: { socket: Socket }; outgoing: EventEmitter & { closed: boolean } };
type Answer<Bindings extends Env> = (request: Request, env: Bindings) => Response | Promise<Response>;

/** Of a closed connection, nobody reads the answer. */
const GONE = { status: 503 };

/**
 * Starts a request after the previous answer on its connection was sent, in a turn of the event loop of its own.
 * Otherwise hundreds of pipelined requests would run at once and keep their answers in memory, or block the event loop
 * together.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.3.2
 */
export function inOrder<Bindings extends Env>(answer: Answer<Bindings>): Answer<Bindings> {
  const newest = new WeakMap<Socket, Env["outgoing"]>();

  return (request, env) => {
    const { socket } = env.incoming;
    if (socket.destroyed) return new Response(null, GONE);
    const before = newest.get(socket);
    newest.set(socket, env.outgoing);
    return before === undefined || before.closed ? answer(request, env) : answerAfter(before, request, env);
  };

  async function answerAfter(before: Env["outgoing"], request: Request, env: Bindings): Promise<Response> {
    await once(before, "close");
    await setImmediate();
    return env.incoming.socket.destroyed ? new Response(null, GONE) : answer(request, env);
  }
}
