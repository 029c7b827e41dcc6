import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countLoopTurns } from "../support/loop-turns.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const COUNT = 99;

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

it("answers requests that arrive together in turns of their own", async () => {
  const { hostname, port } = new URL(world.server.url);
  const paths = Array.from({ length: COUNT }, (_, at) => `/nothing-${at}`);
  const requests = [...paths, "/last"].map(
    (path) =>
      `GET ${path} HTTP/1.1\r\nHost: a\r\n${path === "/last" ? "Connection: close\r\n" : ""}Accept: application/json\r\n\r\n`,
  );
  const socket = connect(Number(port), hostname);
  const turns = countLoopTurns();
  socket.write(requests.join(""));
  const answers = Buffer.concat(await socket.toArray()).toString();
  turns.stop();
  expect(answers.match(/HTTP\/1\.1 404 /g)).toHaveLength(COUNT + 1);
  expect(turns.current()).toBeGreaterThan(COUNT);
});
