/** A bare ws broadcast: posted text is sent to every socket unchanged. */
import { type IncomingMessage, createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type WebSocket, WebSocketServer } from "ws";

const sockets = new Set<WebSocket>();
async function broadcast(request: IncomingMessage): Promise<void> {
  const body = await text(request);
  for (const event of body.split("\n")) for (const socket of sockets) socket.send(event);
}

const server = createServer((request, response) => {
  broadcast(request).then(
    () => response.end("{}"),
    () => response.destroy(),
  );
});
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
