import type { WebSocket } from "ws";

const PING_MS = 25_000;
const PING = '{"type":"ping"}';

/**
 * Asks, told about every second that time goes on, whether the other side of a socket is still there: by a
 * WebSocket ping, and by one of the protocol, as a browser's program doesn't see the other. Where nothing
 * came since the last one, the socket is torn down.
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
