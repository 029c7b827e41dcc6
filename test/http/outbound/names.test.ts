import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOutbound } from "../../../src/http/outbound/outbound.ts";
import { type DnsServer, startDnsServer } from "../../support/dns-server.ts";
import { GET, findError, readText, serve } from "../../support/outbound-scene.ts";

let names: DnsServer;

beforeEach(async () => {
  names = await startDnsServer();
});

afterEach(() => names.close());

describe("createOutbound, with names", () => {
  it("asks DNS, and then looks at the addresses", async () => {
    const server = await serve((_request, response) => response.end("found"));
    names.addresses.set("inner.example", "127.0.0.1");
    const url = `http://inner.example:${server.port}/`;
    expect(await readText(createOutbound(["127.0.0.0/8"]), url)).toBe("found");
    const error = await findError(createOutbound([]).send(url, GET));
    expect(error).toMatchObject({ reason: "address", isSent: false });
  });

  it("finds names of the hosts file, which no name server is asked about", async () => {
    const server = await serve((_request, response) => response.end("found"));
    names.addresses.set("localhost", null);
    const url = `http://LOCALHOST.:${server.port}/`;
    expect(await readText(createOutbound(["127.0.0.0/8", "::1"]), url)).toBe("found");
  });

  it("says which names are unknown, and which have no address", async () => {
    names.records.set("text.example", "only a text");
    const unknown = await findError(createOutbound([]).send("https://unknown.example/", GET));
    expect(unknown).toMatchObject({ reason: "connect", message: "No connection: ENOTFOUND." });
    const empty = await findError(createOutbound([]).send("https://text.example/", GET));
    expect(empty).toMatchObject({ reason: "connect", message: "No connection: ENODATA." });
  });

  it("is not delayed by names whose servers keep silent, however many are asked about", async () => {
    const server = await serve((_request, response) => response.end("found"));
    names.addresses.set("inner.example", "127.0.0.1");
    const client = createOutbound(["127.0.0.0/8"]);
    const silent = Array.from({ length: 50 }, (_, index) => `silent-${index}.example`);
    for (const name of silent) names.addresses.set(name, null);
    let ended = 0;
    const limits = { connectMs: 1500 };
    const asked = silent.map((name) =>
      findError(client.send(`https://${name}/`, { ...GET, limits })).finally(() => ended++),
    );
    expect(await readText(client, `http://inner.example:${server.port}/`)).toBe("found");
    expect(ended).toBe(0);
    expect(new Set((await Promise.all(asked)).map(({ reason }) => reason))).toEqual(new Set(["timeout"]));
  });
});
