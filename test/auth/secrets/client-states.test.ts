import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClientStates } from "../../../src/auth/secrets/client-states.ts";
import type { ClientStates } from "../../../src/domain/kernel/client-states.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const BINDING = ["session of an upstream", "workspace", "server", "agent"];
const STATE = { session: "hunter2", round: 3 };
const NOW = new Date("2026-11-24T12:00:00Z");

let quiet: QuietServices;
beforeAll(async () => {
  quiet = await openQuietServices();
});
afterAll(() => quiet.close());

/** Those of another node. */
function openStates(now: Date = NOW): ClientStates {
  return createClientStates(quiet.services.database, () => now);
}

describe("createClientStates", () => {
  it("opens on any node what another one has sealed, also if both are the first", async () => {
    const nodes = Array.from({ length: 5 }, () => openStates());
    const texts = await Promise.all(nodes.map((node) => node.seal(STATE, { binding: BINDING, seconds: 60 })));
    for (const text of texts) {
      expect(text).toMatch(/^v1\.[\w-]+$/);
      expect(text).not.toContain(Buffer.from("hunter2").toString("base64url").slice(0, 8));
      expect(await openStates().open(text, BINDING)).toEqual(STATE);
    }
  });

  it("opens until the time is over", async () => {
    const text = await openStates().seal(STATE, { binding: BINDING, seconds: 60 });
    const last = new Date(NOW.getTime() + 59_999);
    expect(await openStates(last).open(text, BINDING)).toEqual(STATE);
    expect(await openStates(new Date(last.getTime() + 1)).open(text, BINDING)).toBeNull();
  });

  it("opens nothing of another binding, and nothing that was forged", async () => {
    const states = openStates();
    const text = await states.seal(STATE, { binding: BINDING, seconds: 60 });
    expect(await states.open(text, BINDING.with(3, "another agent"))).toBeNull();
    expect(await states.open(text, BINDING.with(0, "another purpose"))).toBeNull();
    const forged = ["", "v1.", "v2.x", text.slice(0, -1), `${text}AA`, text.replace("v1.", ""), "v1.🔑"];
    for (const one of forged) expect(await states.open(one, BINDING), one).toBeNull();
  });

  it("reads the key again after the database was away", async () => {
    let isAway = true;
    const { prisma } = quiet.services.database;
    const clientStateKey = new Proxy(prisma.clientStateKey, {
      get: (target, name, receiver) => {
        if (isAway) throw new Error("the database is away");
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    const states = createClientStates({ prisma: { ...prisma, clientStateKey } }, () => NOW);
    await expect(states.seal(STATE, { binding: BINDING, seconds: 60 })).rejects.toThrow("away");
    isAway = false;
    const text = await states.seal(STATE, { binding: BINDING, seconds: 60 });
    expect(await openStates().open(text, BINDING)).toEqual(STATE);
  });
});
