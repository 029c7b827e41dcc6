import type { WebSocket } from "ws";

const PING_MS = 25_000;
const PING = '{"type":"ping"}';

/**
 * Returns a function, called about every second, that checks whether the other side still answers. Sends a
 * WebSocket ping and a ping of the protocol, because scripts in browsers don't see the first. Destroys the
 * socket if nothing arrived since the last ping.
 */
export function createHeartbeat(
  socket: WebSocket,
  isAcknowledged: () => boolean,
): (isOpen: boolean, nowMs: number) => void {
  let isResponsive = true;
  let nextMs = performance.now() + Math.random() * PING_MS;
  function noteAlive(): void {
    isResponsive = true;
  }
  socket.on("pong", noteAlive);
  socket.on("message", noteAlive);
  return (isOpen, nowMs) => {
    if (nowMs < nextMs) return;
    if (!isResponsive) {
      socket.terminate();
      return;
    }
    isResponsive = false;
    nextMs = nowMs + PING_MS;
    if (!isOpen) return;
    socket.ping();
    if (isAcknowledged()) socket.send(PING);
  };
}
