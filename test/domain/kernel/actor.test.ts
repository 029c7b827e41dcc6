import { describe, expect, it } from "vitest";
import { type Actor, getBodyHolder } from "../../../src/domain/kernel/actor.ts";

const person: Actor = { type: "user", id: "p", name: "Ada", role: "admin", session: null };
const provider: Actor = { type: "scim", id: "s", name: "Directory" };

describe("getBodyHolder", () => {
  it("keeps kinds of callers and workspaces apart", () => {
    const holders = [
      getBodyHolder({ actor: person, workspaceId: "a" }),
      getBodyHolder({ actor: provider, workspaceId: "a" }),
      getBodyHolder({ actor: person, workspaceId: "b" }),
    ];
    expect(new Set(holders).size).toBe(3);
    expect(getBodyHolder({ actor: { ...person, id: "q" }, workspaceId: "a" })).toBe(holders[0]);
  });
});
