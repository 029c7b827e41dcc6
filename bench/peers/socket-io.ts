/** A Socket.IO room: posted JSON is emitted to everybody. */
import { type IncomingMessage, createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Server } from "socket.io";

async function emit(request: IncomingMessage): Promise<void> {
  const body = await text(request);
  for (const event of body.split("\n")) io.to("everybody").emit("event", JSON.parse(event));
}

const server = createServer((request, response) => {
  emit(request).then(
    () => response.end("{}"),
    () => response.destroy(),
  );
});
const io = new Server(server, { transports: ["websocket"], perMessageDeflate: false });
io.on("connection", (socket) => void socket.join("everybody"));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
