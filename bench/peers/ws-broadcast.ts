/** A bare broadcast over ws: each text that is posted goes to every socket as it is. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { type WebSocket, WebSocketServer } from "ws";

const sockets = new Set<WebSocket>();
const server = createServer((request, response) => {
  void text(request).then((body) => {
    for (const event of body.split("\n")) for (const socket of sockets) socket.send(event);
    response.end("{}");
  });
});
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
  sockets.add(socket);
  socket.on("close", () => sockets.delete(socket));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
