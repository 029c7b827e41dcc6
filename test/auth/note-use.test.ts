import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { findCredential } from "../../src/auth/find-credential.ts";
import { hashSecret } from "../../src/auth/credentials.ts";
import { noteUses } from "../../src/auth/note-use.ts";
import type { Credential } from "../../src/auth/remembered-credentials.ts";
import { createLogger } from "../../src/config/logger.ts";
import { PATIENCE } from "../support/patience.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

async function createCredential(): Promise<Credential> {
  const { apiKey } = await quiet.createWorkspace();
  const services = { database: quiet.services.database, now: null };
  const found = await findCredential(services, "api_key", hashSecret(apiKey));
  if (found?.state !== "valid") throw new Error("the key is not valid");
  return found.credential;
}

async function readLastIp(credential: Credential): Promise<string | null> {
  const [row] = await quiet.database.query<{ ip: string | null }>(
    "SELECT last_used_ip AS ip FROM api_key WHERE id = $1",
    [credential.actor.credential.id],
  );
  return row?.ip ?? null;
}

describe("noteUses", () => {
  it("logs that a use could not be recorded, and records the next one", async () => {
    const credential = await createCredential();
    const logged: string[] = [];
    const log = createLogger("warn", { write: (line: string) => void logged.push(line) });
    const { database } = quiet.services;
    let isBroken = true;
    const run: typeof database.run = (...asked) =>
      isBroken ? Promise.reject(new Error("no connection")) : database.run(...asked);
    const note = noteUses({ ...database, run }, log);
    note(credential, "192.0.2.1");
    await vi.waitFor(() => expect(logged).toHaveLength(1), PATIENCE);
    expect(JSON.parse(logged[0] ?? "")).toMatchObject({
      msg: "the use of a credential could not be recorded",
      err: { message: "no connection" },
    });
    isBroken = false;
    note(credential, "192.0.2.2");
    await vi.waitFor(async () => expect(await readLastIp(credential)).toBe("192.0.2.2"), PATIENCE);
  });
});
