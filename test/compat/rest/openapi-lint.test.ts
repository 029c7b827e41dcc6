import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES } from "../../../src/domain/kernel/scopes.ts";
import { sendRaw } from "../../support/raw-request.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { createTestClient } from "../../support/test-client.ts";

const PATH = "/api/v1/openapi.json";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

type Operation = {
  tags: string[];
  operationId: string;
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  responses: object;
};

function ask(headers: Record<string, string> = {}) {
  return sendRaw(server.url, { method: "GET", path: PATH, headers });
}

async function read() {
  return (await createTestClient(server.url).get(PATH)).body;
}

// The recommended rules of Spectral and Redocly.
describe("the description of the API", () => {
  it("has a contact, a license, a server and tags", async () => {
    const { info, servers, tags } = await read();
    expect(info).toMatchObject({
      contact: { name: expect.any(String) },
      license: { name: expect.any(String), identifier: expect.any(String) },
      description: expect.stringContaining("Agents"),
    });
    expect(servers[0].url).not.toMatch(/\/$|example\.com/);
    for (const tag of tags) expect(tag.description).toMatch(/^[A-Z].*\.$/);
    expect(new Set(tags.map(({ name }: { name: string }) => name)).size).toBe(tags.length);
  });

  it("describes every operation with one tag and all responses", async () => {
    const { paths, tags } = await read();
    const known = new Set(tags.map(({ name }: { name: string }) => name));
    const used = new Set<string>();
    for (const [path, item] of Object.entries<Record<string, Operation>>(paths)) {
      expect(path).toMatch(/^\/[^?]*[^/?]$/);
      for (const operation of Object.values(item)) {
        expect(operation.tags).toHaveLength(1);
        for (const tag of operation.tags) used.add(tag);
        expect(operation.operationId).toMatch(/^[a-z][A-Za-z0-9]*$/);
        expect(operation.summary).toMatch(/^[A-Z]/);
        expect(operation.description).toMatch(/^[A-Z`].*\.$/s);
        const statuses = Object.keys(operation.responses);
        expect(statuses.some((status) => status.startsWith("2"))).toBe(true);
        expect(statuses.some((status) => status.startsWith("4"))).toBe(true);
      }
    }
    expect(used).toEqual(known);
  });

  it("uses only defined security schemes, with a bearer's scopes", async () => {
    const { openapi, paths, components } = await read();
    // Before 3.1, only OAuth requirements could list scopes.
    expect(openapi).toMatch(/^3\.1\./);
    const schemes = components.securitySchemes;
    const used = new Set<string>();
    for (const item of Object.values<Record<string, Operation>>(paths)) {
      for (const requirement of Object.values(item).flatMap(({ security }) => security)) {
        for (const [scheme, scopes] of Object.entries(requirement)) {
          used.add(scheme);
          expect(SCOPES).toEqual(expect.arrayContaining(scheme === "bearer" ? scopes : []));
          expect(scheme === "bearer" ? [] : scopes).toEqual([]);
        }
      }
    }
    expect([...used].toSorted()).toEqual(Object.keys(schemes).toSorted());
  });

  it("has no unused schema", async () => {
    const document = await read();
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas)) {
      expect(text).toContain(`"#/components/schemas/${name}"`);
    }
  });

  it("is as strict as the server", async () => {
    const { paths, components } = await read();
    const key = paths["/tasks"].post.parameters.find(
      (one: { name: string }) => one.name === "Idempotency-Key",
    );
    expect(key.description).toContain("an agent's access tokens");
    expect(key.schema).toMatchObject({ minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" });
    const { NewAgentToken, NewTask, Part, AgentProfile, TaskCompletion } = components.schemas;
    expect(NewAgentToken.properties.scopes).toMatchObject({
      minItems: 1,
      uniqueItems: true,
      items: { enum: SCOPES },
    });
    expect(NewTask.properties.labels).toMatchObject({
      maxProperties: 32,
      propertyNames: { minLength: 1, maxLength: 64 },
      additionalProperties: { maxLength: 64 },
    });
    expect(Part).toMatchObject({ additionalProperties: false, oneOf: { length: 4 } });
    expect(AgentProfile.properties.capabilities.items.properties.type.pattern).toMatch(/^\^/);
    expect(TaskCompletion.properties.artifacts.items.properties.artifact_id).toMatchObject({
      minLength: 1,
      maxLength: 100,
    });
  });
});

describe("GET /api/v1/openapi.json", () => {
  it("is gzipped on request, with an ETag of its own", async () => {
    const plain = await fetch(server.url + PATH, { headers: { "accept-encoding": "identity" } });
    const text = await plain.text();
    expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([
      null,
      expect.stringContaining("Accept-Encoding"),
    ]);
    for (const accepted of ["gzip", "br;q=0.5, GZIP;q=0.1", "*"]) {
      const { headers } = await ask({ "accept-encoding": accepted.toLowerCase() });
      expect(headers.get("content-encoding"), accepted).toBe("gzip");
      expect(headers.get("etag")).not.toBe(plain.headers.get("etag"));
    }
    for (const accepted of ["br", "gzip;q=0", "gzip;q=0, *", "", "gzipx", ",;,"]) {
      expect(
        (await ask({ "accept-encoding": accepted })).headers.get("content-encoding"),
        accepted,
      ).toBeNull();
    }
    const whole = await fetch(server.url + PATH, { headers: { "accept-encoding": "gzip" } });
    expect(await whole.text()).toBe(text);
  });

  it.each(["gzip", "identity"])("returns 304 if unchanged: %s", async (encoding) => {
    const etag = (await ask({ "accept-encoding": encoding })).headers.get("etag") ?? "";
    const again = await ask({ "accept-encoding": encoding, "if-none-match": `"x", ${etag}` });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await ask({ "accept-encoding": encoding, "if-none-match": '"x"' })).status).toBe(200);
  });

  it("is the only compressed response", async () => {
    const { apiKey } = await server.createWorkspace();
    const sent = { authorization: `Bearer ${apiKey}`, "accept-encoding": "gzip" };
    const answer = await fetch(`${server.url}/api/v1/whoami`, { headers: sent });
    expect([answer.status, answer.headers.get("content-encoding")]).toEqual([200, null]);
  });
});
