import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createSealedBox } from "../../../src/auth/secrets/sealed-box.ts";

const PLACE = ["0192f0c1-7c00-7000-8000-000000000001", "mcp_server", "a", "credential"];
const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

describe("createSealedBox", () => {
  const box = createSealedBox([OLD]);

  it.each(["hunter2", "", "ключ 🔑", "x".repeat(100_000)])("opens what it has sealed: %.20s", (text) => {
    expect(box.open(box.seal(text, PLACE), PLACE)).toBe(text);
  });

  it("seals the same text differently each time, and shows nothing of it", () => {
    const [one, other] = [box.seal("hunter2hunter2", PLACE), box.seal("hunter2hunter2", PLACE)];
    expect(Buffer.from(one).equals(other)).toBe(false);
    expect(Buffer.from(one).includes("hunter2")).toBe(false);
  });

  it.each([0, 1, 2, 3])("does not open a copy with another part %i of its place", (index) => {
    const sealed = box.seal("hunter2", PLACE);
    expect(box.open(sealed, PLACE.with(index, "other"))).toBeNull();
  });

  it("tells places apart whose texts have separators", () => {
    expect(box.open(box.seal("x", ["a", 'b","c']), ["a", "b", "c"])).toBeNull();
  });

  it("opens nothing of which one bit was changed, or that was cut or extended", () => {
    const sealed = box.seal("hunter2", PLACE);
    for (let index = 0; index < sealed.length * 8; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index >> 3] = (changed[index >> 3] ?? 0) ^ (1 << (index & 7));
      expect(box.open(changed, PLACE), `bit ${index}`).toBeNull();
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(box.open(sealed.subarray(0, length), PLACE), `${length} bytes`).toBeNull();
    }
    expect(box.open(Buffer.concat([sealed, Buffer.of(0)]), PLACE)).toBeNull();
  });

  it("opens with every key and seals with the first one", () => {
    const sealed = box.seal("hunter2", PLACE);
    const rotated = createSealedBox([NEW, OLD]);
    expect([rotated.open(sealed, PLACE), rotated.isCurrent(sealed)]).toEqual(["hunter2", false]);
    const anew = rotated.seal("hunter2", PLACE);
    expect([rotated.isCurrent(anew), box.open(anew, PLACE)]).toEqual([true, null]);
    expect(createSealedBox([NEW]).open(sealed, PLACE)).toBeNull();
  });
});
