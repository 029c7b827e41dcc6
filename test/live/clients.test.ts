import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { createClients } from "../../src/live/clients.ts";

it("clients are present while one is connected, and until no request's credential is remembered", () => {
  let nowMs = 0;
  const clients = createClients({ now: () => nowMs });
  nowMs = 7000;
  expect(clients.arePresent()).toBe(false);
  const [one, other] = [new EventEmitter(), new EventEmitter()];
  clients.enter(one);
  clients.enter(other);
  nowMs = 60_000;
  one.emit("close");
  nowMs = 90_000;
  expect(clients.arePresent()).toBe(true);
  other.emit("close");
  nowMs = 96_000;
  expect(clients.arePresent()).toBe(true);
  nowMs = 96_001;
  expect(clients.arePresent()).toBe(false);
});
