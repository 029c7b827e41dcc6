import { createSocket } from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";

/** A name server for this process. */
export type DnsServer = { records: Map<string, string>; close: () => Promise<void> };

const [ANSWER, NXDOMAIN] = [0x81_80, 0x81_83];

/** Starts a name server that knows TXT records by their names, and lets this process ask it. */
export async function startDnsServer(): Promise<DnsServer> {
  const usual = dns.getServers();
  const records = new Map<string, string>();
  const socket = createSocket("udp4");
  socket.on("message", (query, peer) => socket.send(answer(query, records), peer.port, peer.address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    records,
    close: async () => {
      dns.setServers(usual);
      socket.close();
      await once(socket, "close");
    },
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc1035#section-4 */
function answer(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const { name, end } = readName(query);
  const text = records.get(name);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(text === undefined ? NXDOMAIN : ANSWER, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(text === undefined ? 0 : 1, 6);
  const question = query.subarray(12, end + 4);
  if (text === undefined) return Buffer.concat([head, question]);
  const value = Buffer.from(text);
  // The name of the question, type TXT, class IN, for no time, and the length of one text.
  const record = Buffer.of(0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, value.length + 1, value.length);
  return Buffer.concat([head, question, record, value]);
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let place = 12;
  for (let length = query[place] ?? 0; length > 0; length = query[place] ?? 0) {
    labels.push(query.toString("latin1", place + 1, place + 1 + length));
    place += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: place + 1 };
}
