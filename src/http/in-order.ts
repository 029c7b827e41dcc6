import { type EventEmitter, once } from "node:events";
import type { Socket } from "node:net";

type Env = { incoming: { socket: Socket }; outgoing: EventEmitter & { closed: boolean } };
type Answer<Bindings extends Env> = (request: Request, env: Bindings) => Response | Promise<Response>;

/**
 * Begins with a request when the answer to the one before it on the same connection is sent: hundreds that come in
 * one packet would be answered at once, and their answers wait for each other in memory.
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
    // Nobody reads the answer on a connection that has ended.
    return once(before, "close").then(() =>
      socket.destroyed ? new Response(null, { status: 503 }) : answer(request, env),
    );
  };
}
