import { type EventEmitter, once } from "node:events";
import type { Socket } from "node:net";

type Env = { incoming: { socket: Socket }; outgoing: EventEmitter & { closed: boolean } };
type Answer<Bindings extends Env> = (request: Request, env: Bindings) => Response | Promise<Response>;

/**
 * Starts a request after the previous answer on its connection was sent. Otherwise hundreds of pipelined
 * requests would run at once and keep their answers in memory.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112#section-9.3.2
 */
export function inOrder<Bindings extends Env>(answer: Answer<Bindings>): Answer<Bindings> {
  const newest = new WeakMap<Socket, Env["outgoing"]>();

  return (request, env) => {
    const { socket } = env.incoming;
    const before = newest.get(socket);
    newest.set(socket, env.outgoing);
    if (before === undefined || before.closed) return answer(request, env);
    // The connection is closed, so nobody reads the answer.
    return once(before, "close").then(() =>
      socket.destroyed ? new Response(null, { status: 503 }) : answer(request, env),
    );
  };
}
