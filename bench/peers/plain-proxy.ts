import { Agent, createServer, request } from "node:http";
import { listenAndPrint } from "./listen-and-print.ts";

/** A reverse proxy before `TARGET` that passes everything on: the least that one can cost. */
const target = process.env["TARGET"] ?? "";
const agent = new Agent({ keepAlive: true });

listenAndPrint(
  createServer((incoming, answer) => {
    const { method, headers } = incoming;
    const sent = request(target, { agent, method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    sent.once("error", () => answer.destroy());
    incoming.pipe(sent);
  }),
);
