/** A room of Socket.IO: each JSON that is posted is emitted to everybody. */
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Server } from "socket.io";

const server = createServer((request, response) => {
  void text(request).then((body) => {
    for (const event of body.split("\n")) io.to("everybody").emit("event", JSON.parse(event));
    response.end("{}");
  });
});
const io = new Server(server, { transports: ["websocket"], perMessageDeflate: false });
io.on("connection", (socket) => void socket.join("everybody"));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
