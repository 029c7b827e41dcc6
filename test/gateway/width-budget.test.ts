import { describe, expect, it } from "vitest";
import { type WidthBudget, type WidthHolder, createWidthBudget } from "../../src/gateway/width-budget.ts";

function holder(of: Partial<WidthHolder> = {}): WidthHolder {
  return { credentialId: "key", workspaceId: "acme", kind: "agent", ...of };
}

/** Uses 10 of a budget. */
function take(budget: WidthBudget, of: Partial<WidthHolder>, key: string): () => void {
  const taken = budget.take(holder(of), { key, width: 10 });
  if ("reason" in taken) throw new Error(taken.reason);
  return taken;
}

describe("the width of subscriptions", () => {
  it("is limited per credential, workspace and node, and the error names which", () => {
    const budget = createWidthBudget({ credential: 20, workspace: 30, node: 40 });
    take(budget, {}, "a");
    take(budget, {}, "b");
    expect(() => take(budget, {}, "c")).toThrow(
      "a credential may have a total width of 20. With this one it would be 30",
    );
    take(budget, { credentialId: "other" }, "c");
    expect(() => take(budget, { credentialId: "other" }, "d")).toThrow(
      "a workspace may have a total width of 30",
    );
    take(budget, { credentialId: "third", workspaceId: "umbrella" }, "d");
    expect(() => take(budget, { credentialId: "third", workspaceId: "umbrella" }, "e")).toThrow(
      "this node may have a total width of 40",
    );
  });

  it("counts shared selections once, until the last has ended", () => {
    const budget = createWidthBudget({ credential: 10, workspace: 10, node: 20 });
    const first = take(budget, {}, "a");
    const second = take(budget, { credentialId: "other" }, "a");
    first();
    expect(() => take(budget, {}, "b")).toThrow("a workspace");
    second();
    take(budget, {}, "b");
  });

  it("counts the same selection again for another workspace", () => {
    const budget = createWidthBudget({ credential: 10, workspace: 10, node: 15 });
    take(budget, {}, "a");
    expect(() => take(budget, { workspaceId: "umbrella", credentialId: "other" }, "a")).toThrow("this node");
  });

  it("of agents doesn't reduce that of users", () => {
    const budget = createWidthBudget({ credential: 10, workspace: 10, node: 20 });
    take(budget, {}, "a");
    expect(() => take(budget, { kind: "user", credentialId: "session" }, "b")).not.toThrow();
  });
});
