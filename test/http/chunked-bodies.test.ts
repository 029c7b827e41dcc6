import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHttpSocket } from "../support/http-socket.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

/** Sends a POST with these chunks. Returns the status and the rest of the response. */
async function post(path: string, type: string, chunks: readonly string[]) {
  const { server, apiKey, scimToken } = world;
  const socket = await openHttpSocket(server.url);
  const token = path.startsWith("/scim") ? scimToken : apiKey;
  const head = [
    `POST ${path} HTTP/1.1`,
    "Host: localhost",
    `Authorization: Bearer ${token}`,
    `Content-Type: ${type}`,
    "Transfer-Encoding: chunked",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  socket.write(chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(""));
  socket.write("0\r\n\r\n");
  await socket.until("\r\n\r\n");
  socket.end();
  const answer = await socket.ended;
  return { status: Number(answer.split(" ")[1]), answer };
}

/** Cuts a text into chunks. */
function cut(text: string, length: number): string[] {
  return Array.from({ length: Math.ceil(text.length / length) }, (_, at) =>
    text.slice(at * length, (at + 1) * length),
  );
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const task = `{"title":"x"${" ".repeat(1_000_000)}}`;
const query = `{"query":"{ __typename }"${" ".repeat(500_000)}}`;

describe("a chunked body", () => {
  it.each([
    { path: "/api/v1/tasks", type: JSON_TYPE, status: 201, body: task, length: 64 },
    { path: "/api/v1/tasks", type: JSON_TYPE, status: 201, body: task, length: 100_000 },
    { path: "/api/v1/tasks", type: JSON_TYPE, status: 201, body: '{"title":"x"}', length: 1 },
    { path: "/graphql", type: JSON_TYPE, status: 200, body: query, length: 64 },
    { path: "/scim/v2/Users", type: JSON_TYPE, status: 400, body: task, length: 64 },
    {
      path: "/users/log-in",
      type: FORM_TYPE,
      status: 200,
      body: `user[email]=a@b.example&pad=${"x".repeat(10_000)}`,
      length: 10,
    },
  ])("is read: $path in chunks of $length", async ({ path, type, status, body, length }) => {
    expect(await post(path, type, cut(body, length))).toMatchObject({ status });
  });

  it.each([
    ["/api/v1/tasks", JSON_TYPE, task.slice(0, 100_000)],
    ["/graphql", JSON_TYPE, query.slice(0, 100_000)],
    ["/scim/v2/Users", JSON_TYPE, task.slice(0, 100_000)],
    ["/users/log-in", FORM_TYPE, "x".repeat(10_000)],
  ])("is rejected if its chunks are too many and small: %s", async (path, type, body) => {
    const { status, answer } = await post(path, type, cut(body, 1));
    expect(status).toBe(413);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });

  it("is rejected if it is too large", async () => {
    const { status, answer } = await post("/api/v1/tasks", JSON_TYPE, cut(" ".repeat(1_100_000), 100_000));
    expect(status).toBe(413);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  });
});
