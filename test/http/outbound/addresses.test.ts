import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import type { Resolve } from "../../../src/http/outbound/resolve-name.ts";
import { createOutbound } from "../../../src/http/outbound/outbound.ts";
import { INNER_ADDRESSES } from "../../support/inner-addresses.ts";
import { GET, findError, readText, serve } from "../../support/outbound-scene.ts";

/** Resolves a name to each of these lists in turn. */
function resolveTo(...answers: string[][]): Resolve {
  return async () => {
    const addresses = answers.length > 1 ? answers.shift() : answers[0];
    return (addresses ?? []).map(toLookupAddress);
  };
}

function toLookupAddress(address: string): LookupAddress {
  return { address, family: address.includes(":") ? 6 : 4 };
}

describe("createOutbound, where it connects", () => {
  it.each(INNER_ADDRESSES)("does not connect to %s: %s", async (host, problem) => {
    const server = await serve((_request, response) => response.end());
    const client = createOutbound([]);
    for (const scheme of ["http", "https"]) {
      const error = await findError(client.send(`${scheme}://${host}:${server.port}/`, GET));
      expect(error).toMatchObject({ reason: "address", isSent: false });
      expect(error.message).toContain(problem);
      expect(error.message).toContain("OUTBOUND_ALLOW");
    }
    expect(server.connections()).toBe(0);
  });

  it("looks at the addresses of each connection: a name that is public first is no way in", async () => {
    const server = await serve((_request, response) => response.end());
    // 192.0.2.0/24 is for documentation: no connection comes about.
    const client = createOutbound(["192.0.2.0/24"], { resolve: resolveTo(["192.0.2.1"], ["127.0.0.1"]) });
    const url = `http://rebinding.example:${server.port}/`;
    const limits = { connectMs: 50 };
    expect(await findError(client.send(url, { ...GET, limits }))).toMatchObject({ isSent: false });
    const error = await findError(client.send(url, GET));
    expect(error.message).toBe(
      "rebinding.example is a loopback address. OUTBOUND_ALLOW of the server does not list it.",
    );
    expect(server.connections()).toBe(0);
  });

  it.each([[["192.0.2.1", "127.0.0.1"]], [["127.0.0.1", "192.0.2.1"]], [["192.0.2.1", "::ffff:7f00:1"]]])(
    "does not connect to a name of which one address is inner: %s",
    async (addresses) => {
      const server = await serve((_request, response) => response.end());
      const client = createOutbound(["192.0.2.0/24"], { resolve: resolveTo(addresses) });
      const error = await findError(client.send(`http://mixed.example:${server.port}/`, GET));
      expect(error).toMatchObject({ reason: "address" });
      expect(server.connections()).toBe(0);
    },
  );

  it("connects to public addresses by https only", async () => {
    const client = createOutbound([], { resolve: resolveTo(["8.8.8.8"]) });
    const error = await findError(client.send("http://public.example/", GET));
    expect(error.message).toContain("https only");
    expect((await findError(client.send("http://8.8.8.8/", GET))).message).toContain("https only");
  });

  it("says what a name without addresses is", async () => {
    const client = createOutbound([], { resolve: resolveTo([]) });
    expect(await findError(client.send("https://none.example/", GET))).toMatchObject({
      reason: "connect",
      message: "none.example has no address.",
    });
  });

  it.each([
    ["nonsense", "not a URL"],
    ["ftp://example.com/", "https://"],
    ["file:///etc/passwd", "https://"],
    ["https://user@example.com/", "user or password"],
    ["https://:secret@example.com/", "user or password"],
    ["http://127.0.0.1@example.com/", "user or password"],
  ])("does not request %s: %s", async (url, problem) => {
    const error = await findError(createOutbound(["127.0.0.0/8"]).send(url, GET));
    expect(error).toMatchObject({ reason: "url", isSent: false });
    expect(error.message).toContain(problem);
  });
});

describe("createOutbound, with a server of this process", () => {
  it("reaches the admitted origin until that ends, and nothing else at its address", async () => {
    const [own, other] = [
      await serve((_request, response) => response.end("own")),
      await serve((_request, response) => response.end("other")),
    ];
    const client = createOutbound([]);
    const exclude = client.admit(own.url);
    expect(await readText(client, `${own.url}/any/path`)).toBe("own");
    for (const url of [other.url, own.url.replace("127.0.0.1", "localhost"), `http://127.0.0.1/`]) {
      expect((await findError(client.send(url, GET))).message).toContain("is a loopback address");
    }
    expect(other.connections()).toBe(0);
    exclude();
    expect((await findError(client.send(own.url, GET))).message).toContain("is a loopback address");
  });

  it("admits no name, whose address may be another one later", () => {
    expect(() => createOutbound([]).admit("http://localhost:4711")).toThrow("not the origin");
  });
});
