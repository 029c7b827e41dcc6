import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** Listens on a free port of 127.0.0.1 and prints the URL. */
export function listenAndPrint(server: Server): void {
  server.listen(0, "127.0.0.1", () => {
    // Of a server that listens.
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`http://127.0.0.1:${port}\n`);
  });
}
