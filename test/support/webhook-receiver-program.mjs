// A receiver in a process of its own: prints a line for each event, and answers 204.
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => {
  // A TCP server's address is an object.
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  process.stdout.write(`${JSON.stringify({ port })}\n`);
});

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function receive(request, response) {
  const { id, subject, sequence } = /** @type {Record<string, string>} */ (await json(request));
  // Whoever reads the line knows that the answer may not have been sent.
  process.stdout.write(`${JSON.stringify({ id, subject, sequence })}\n`);
  response.writeHead(204).end();
}
