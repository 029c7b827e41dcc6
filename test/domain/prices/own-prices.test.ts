import { describe, expect, it } from "vitest";
import { findHolding, indexPrices } from "../../../src/domain/prices/own-prices.ts";
import type { Price } from "../../../src/domain/prices/price.ts";

function createPrice(
  id: string,
  validFrom: Date | null = null,
): { validFrom: Date | null; read: () => Price } {
  const rates = { input: 1n, output: 1n, cacheRead: 1n, cacheWrite: 1n, cacheWrite1h: 1n, reasoning: 1n };
  return { validFrom, read: () => ({ ...{ id, validFrom, hours: null, rates }, tiers: [], perCall: 0n }) };
}

function index(...names: [provider: string, model: string][]) {
  const prices = names.map(([provider, model]) => ({
    provider,
    model,
    ...createPrice(`${provider} ${model}`),
  }));
  const list = indexPrices(prices);
  return (provider: string | null, model: string) =>
    list(provider, model)
      .flat()
      .map(({ read }) => read().id);
}

function any(start: string): [provider: string, model: string] {
  return ["*", `${start}*`];
}

describe("the index of own prices", () => {
  it("finds the whole name first, then the longest beginning, then the provider", () => {
    const list = index(
      ["*", "*"],
      ["*", "house-*"],
      ["openai", "house-*"],
      ["*", "house-large"],
      ["*", "other-*"],
    );
    expect(list("openai", "house-large")).toEqual([
      ...["* house-large", "openai house-*", "* house-*", "* *"],
    ]);
    expect(list(null, "hous")).toEqual(["* *"]);
  });

  it("finds all beginnings of all names that a model has, the longest first", () => {
    const list = index(...["a", "ab", "abc", "abd", "b", "anthropic.a", "us.anthropic.ab"].map(any));
    expect(list(null, "us.anthropic.abcd")).toEqual(
      ["us.anthropic.ab", "anthropic.a", "abc", "ab", "a"].map((start) => `* ${start}*`),
    );
    expect(list(null, "ac")).toEqual(["* a*"]);
    expect(list(null, "c")).toEqual([]);
  });

  it.each([
    ["one price", [any("house-")]],
    ["prices of 250 lengths", Array.from({ length: 10_000 }, (_, at) => any(`${"x".repeat(at % 250)}${at}`))],
  ])("looks up little of long names, with %s", (_what, prices) => {
    const list = index(...prices);
    const models = Array.from({ length: 5000 }, (_, at) => `us.anthropic.${"m-".repeat(110)}${at}-v1:0`);
    const started = process.cpuUsage();
    expect(models.flatMap((model) => list("openai", model))).toEqual([]);
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(1_500_000);
  });

  it("reads no price but the one that applies", () => {
    const read: string[] = [];
    const list = indexPrices(
      ["c", "b", "a"].map((id, at) => {
        const { validFrom, read: readPrice } = createPrice(id, new Date(3 - at));
        return { provider: "*", model: "m", validFrom, read: () => (read.push(id), readPrice()) };
      }),
    );
    expect(findHolding(list(null, "m"), new Date(2))?.id).toBe("b");
    expect(read).toEqual(["b"]);
  });

  it("finds the price of a time at once, however many a model has", () => {
    const prices = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ provider: "*", model: "m", ...createPrice(`${at}`, new Date(at * 1000)) },
    }));
    const list = indexPrices([...prices.toReversed(), { provider: "*", model: "*", ...createPrice("any") }]);
    const started = process.cpuUsage();
    for (let at = 0; at < 10_000; at++)
      expect(findHolding(list(null, "m"), new Date(at * 1000 + 999))?.id).toBe(`${at}`);
    expect(findHolding(list(null, "m"), new Date(-1))?.id).toBe("any");
    const { user, system } = process.cpuUsage(started);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
