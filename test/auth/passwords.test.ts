import { availableParallelism } from "node:os";
import { describe, expect, it } from "vitest";
import { createPasswordHasher } from "../../src/auth/passwords.ts";
import { getErrorCode } from "../support/callers.ts";

const passwords = createPasswordHasher();
const PASSWORD = "correct horse battery staple";

describe("a password hash", () => {
  it("verifies its password and no other", async () => {
    const hash = await passwords.hash(PASSWORD);
    expect(await passwords.verify(hash, PASSWORD)).toBe(true);
    for (const other of [`${PASSWORD} `, PASSWORD.toUpperCase(), PASSWORD.slice(1), ""]) {
      expect(await passwords.verify(hash, other)).toBe(false);
    }
  });

  it("is Argon2id at OWASP's minimum cost, with its own salt", async () => {
    const [one, two] = await Promise.all([passwords.hash(PASSWORD), passwords.hash(PASSWORD)]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]+\$[^$]+$/);
    expect(one).not.toBe(two);
  });

  it("verifies the same characters however they are composed", async () => {
    const [composed, decomposed, wide] = [
      "Zürich-Åse-office",
      "Zu\u0308rich-A\u030ase-o\ufb03ce",
      "Ｚürich-Åse-office",
    ];
    const hash = await passwords.hash(composed ?? "");
    expect(await passwords.verify(hash, decomposed ?? "")).toBe(true);
    expect(await passwords.verify(hash, wide ?? "")).toBe(true);
  });

  it.each([
    "",
    "x",
    "$argon2id$",
    "$argon2id$v=19$m=19456,t=2,p=1$x$y",
    "$2b$10$abcdefghijklmnopqrstuv",
    "\0",
  ])("that is malformed (%j) verifies nothing and doesn't throw", async (hash) => {
    expect(await passwords.verify(hash, PASSWORD)).toBe(false);
  });
});

describe("createPasswordHasher", () => {
  /** Starts this many hashes. @returns the result of each, "" for a hash. */
  function hashes(hasher: ReturnType<typeof createPasswordHasher>, count: number): Promise<string>[] {
    return Array.from({ length: count }, () => getErrorCode(hasher.hash(PASSWORD)));
  }

  it("runs four at once, and the fifth waits until one of them ends", async () => {
    const hasher = createPasswordHasher({ atOnce: 4 });
    const ended: string[] = [];
    const four = hashes(hasher, 4).map(async (hash) => ended.push(`hash ${await hash}`));
    // On its own it would end at once, because the hash is malformed.
    const fifth = hasher.verify("x", PASSWORD).then(() => ended.push("fifth"));
    await Promise.all([...four, fifth]);
    expect(ended[0]).toBe("hash ");
    expect(ended).toHaveLength(5);
  });

  it("leaves a core to everything else", async () => {
    const waitingEach = 2;
    const outcomes = await Promise.all(hashes(createPasswordHasher({ waitingEach }), 10));
    const cores = Math.min(4, availableParallelism() - 1);
    expect(outcomes.filter((code) => code === "")).toHaveLength(Math.max(1, cores) + waitingEach);
  });

  it("gives callers equal turns, and each only a part of the queue", async () => {
    const hasher = createPasswordHasher({ atOnce: 1, waiting: 20, waitingEach: 5 });
    const ended: string[] = [];
    const flood = Array.from({ length: 30 }, async () => {
      const code = await getErrorCode(hasher.hash(PASSWORD, "flood"));
      ended.push(`flood ${code}`);
    });
    const other = hasher.verify("x", "", "other").then(() => ended.push("other"));
    await Promise.all([...flood, other]);
    expect(ended.filter((one) => one === "flood unavailable")).toHaveLength(24);
    expect(ended.filter((one) => one !== "flood unavailable").indexOf("other")).toBeLessThanOrEqual(2);
  });

  it("runs waiting ones in turn", async () => {
    const hasher = createPasswordHasher({ atOnce: 1, waiting: 10 });
    const ended: number[] = [];
    const work = [
      hasher.hash(PASSWORD),
      hasher.verify("x", ""),
      hasher.hash(PASSWORD),
      hasher.verify("x", ""),
    ];
    await Promise.all(work.map(async (each, index) => ended.push(await each.then(() => index))));
    expect(ended).toEqual([0, 1, 2, 3]);
  });

  it("rejects calls when the queue is full, and accepts them again afterwards", async () => {
    const hasher = createPasswordHasher({ atOnce: 2, waiting: 3 });
    const outcomes = await Promise.all(hashes(hasher, 8));
    expect(outcomes).toEqual(["", "", "", "", "", "unavailable", "unavailable", "unavailable"]);
    expect(await Promise.all(hashes(hasher, 5))).toEqual(["", "", "", "", ""]);
  });

  it("queues 64 per caller by default", async () => {
    const hasher = createPasswordHasher({ atOnce: 4 });
    const verified = Array.from({ length: 70 }, () => getErrorCode(hasher.verify("x", PASSWORD)));
    const outcomes = await Promise.all(verified);
    expect(outcomes.filter((code) => code === "unavailable")).toHaveLength(2);
    expect(outcomes.slice(0, 68)).toEqual(Array.from({ length: 68 }, () => ""));
  });
});
