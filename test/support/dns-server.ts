import { createSocket } from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";

/** A name server for this process. */
export type DnsServer = {
  /** TXT records by their names. */
  records: Map<string, string>;
  /** IPv4 addresses by their names. Null: the question is not answered. */
  addresses: Map<string, string | null>;
  close: () => Promise<void>;
};

type Known = Pick<DnsServer, "records" | "addresses">;

const [ANSWER, NXDOMAIN] = [0x81_80, 0x81_83];
const [A, TXT] = [1, 16];

/** Starts a name server, and lets this process ask it. */
export async function startDnsServer(): Promise<DnsServer> {
  const usual = dns.getServers();
  const known: Known = { records: new Map(), addresses: new Map() };
  const socket = createSocket("udp4");
  socket.on("message", (query, peer) => {
    if (known.addresses.get(readName(query).name) === null) return;
    socket.send(answer(query, known), peer.port, peer.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  dns.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    ...known,
    close: async () => {
      dns.setServers(usual);
      socket.close();
      await once(socket, "close");
    },
  };
}

/** @see https://www.rfc-editor.org/rfc/rfc1035#section-4 */
function answer(query: Buffer, known: Known): Buffer {
  const { name, end } = readName(query);
  const type = query.readUInt16BE(end);
  const value = findValue(known, { name, type });
  const isKnown = value !== null || known.records.has(name) || known.addresses.has(name);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(isKnown ? ANSWER : NXDOMAIN, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(value === null ? 0 : 1, 6);
  const question = query.subarray(12, end + 4);
  if (value === null) return Buffer.concat([head, question]);
  // The name of the question, class IN, for no time.
  const record = Buffer.of(0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, value.length);
  return Buffer.concat([head, question, record, value]);
}

function findValue(
  { records, addresses }: Known,
  { name, type }: { name: string; type: number },
): Buffer | null {
  const address = addresses.get(name) ?? null;
  if (type === A && address !== null) return Buffer.from(address.split(".").map(Number));
  const text = records.get(name);
  if (type !== TXT || text === undefined) return null;
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
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
