import { type Socket, connect } from "node:net";

/** A connection for raw requests. */
export type HttpSocket = {
  write: (request: string) => void;
  /** Closes the connection, whatever is still expected. */
  end: () => void;
  /** Everything received until the server closes the connection. */
  ended: Promise<string>;
  /** Waits until the received data contains this. */
  until: (text: string) => Promise<void>;
};

/** Opens a connection to a server. */
export async function openHttpSocket(url: string): Promise<HttpSocket> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  socket.setEncoding("utf8");
  let answered = "";
  socket.on("data", (chunk: string) => (answered += chunk));
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return {
    write: (request) => void socket.write(request),
    end: () => void socket.destroy(),
    ended: new Promise((resolve) => socket.once("close", () => resolve(answered))),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => answered.includes(text) && resolve();
        socket.on("data", look);
        socket.once("close", () => reject(new Error(`the connection ended after ${answered}`)));
        look();
      }),
  };
}
