import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { deleteModelPrice } from "../../../src/domain/prices/delete-model-price.ts";
import { listModelPrices } from "../../../src/domain/prices/list-model-prices.ts";
import { readEffectivePrice } from "../../../src/domain/prices/read-effective-price.ts";
import { setModelPrice } from "../../../src/domain/prices/set-model-price.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { OWN_PRICE } from "../../support/own-price.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  ctx = server.systemCtx((await server.createWorkspace("Acme")).workspaceId);
});

type NewPrice = Parameters<typeof setModelPrice>[1];

/** Sets a price with this much for a million tokens of input. */
async function set(dollars: string, price: Partial<NewPrice> = {}) {
  return setModelPrice(ctx, { ...OWN_PRICE, prices: { input: dollars, output: "0" }, ...price });
}

/** What one token of input costs in pico-dollars. */
async function read(model: string, provider: string | null = null, at: Date | null = null) {
  return (await readEffectivePrice(ctx, { provider, model, at }))?.rates.input ?? null;
}

describe("setModelPrice", () => {
  it("creates a price, then replaces it, and says so", async () => {
    const made = await setModelPrice(ctx, { ...OWN_PRICE, provider: "OpenAI", model: "GPT-Own" });
    expect(made).toMatchObject({
      provider: "openai",
      model: "gpt-own",
      inputPico: 3_000_000n,
      generation: 1,
    });
    const tiers = [
      { aboveInputTokens: 500, prices: { input: "0.000002", output: "0" } },
      { aboveInputTokens: 100, prices: { input: "0.000001", output: "100000", cacheRead: "0" } },
    ];
    const changed = await setModelPrice(ctx, { ...OWN_PRICE, provider: "openai", model: "gpt-own", tiers });
    expect(changed).toMatchObject({ id: made.id, generation: 2, updatedBy: { type: "system" } });
    expect(await readEventTypes(server, made.id)).toEqual(["model_price.created", "model_price.updated"]);
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({
      action: "model_price.updated",
      changes: {
        ...{ provider: "openai", model: "gpt-own", input: "3", output: "15", cache_read: null },
        tiers: [
          { above_input_tokens: 100, input: "0.000001", output: "100000", cache_read: "0" },
          { above_input_tokens: 500, input: "0.000002", output: "0", cache_read: null },
        ],
      },
    });
    const price = await readEffectivePrice(ctx, { provider: "openai", model: "gpt-own" });
    expect(price).toMatchObject({ id: made.id, rates: { input: 3_000_000n, cacheWrite1h: 3_000_000n } });
    expect(price?.tiers.map(({ aboveInputTokens, rates }) => [aboveInputTokens, rates.input])).toEqual([
      ...[
        [100n, 1n],
        [500n, 2n],
      ],
    ]);
    expect(await listModelPrices(ctx, {}, { provider: "OPENAI" })).toMatchObject({ total: 1 });
  });

  it("changes nothing if the price is equal", async () => {
    const { id } = await set("1");
    expect(await set("1.000000")).toMatchObject({ id, generation: 1 });
    expect(await readEventTypes(server, id)).toEqual(["model_price.created"]);
    expect(await listModelPrices(ctx, {})).toMatchObject({ total: 1 });
  });

  it("creates one price if many do at once", async () => {
    const all = await Promise.all(Array.from({ length: 8 }, (_, n) => set(`${n}`)));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await listModelPrices(ctx, {})).toMatchObject({ total: 1, nodes: [{ generation: 8 }] });
  });

  it.each([
    [{ model: "" }, "model"],
    [{ model: "a*b" }, "model"],
    [{ model: "x".repeat(257) }, "model"],
    [{ model: "a\u0000" }, "model"],
    [{ provider: "x".repeat(65) }, "provider"],
    [{ prices: { input: "-1", output: "1" } }, "prices.input"],
    [{ prices: { input: "0.0000001", output: "1" } }, "prices.input"],
    [{ prices: { input: "1", output: "100000.000001" } }, "prices.output"],
    [{ prices: { input: "1", output: "1", cacheRead: "1e3" } }, "prices.cacheRead"],
    [{ validFrom: new Date(Number.NaN) }, "validFrom"],
    [{ tiers: [{ aboveInputTokens: 0, prices: OWN_PRICE.prices }] }, "tiers.0.aboveInputTokens"],
    [
      { tiers: Array.from({ length: 2 }, () => ({ aboveInputTokens: 5, prices: OWN_PRICE.prices })) },
      "tiers",
    ],
    [
      { tiers: Array.from({ length: 9 }, (_, n) => ({ aboveInputTokens: n + 1, prices: OWN_PRICE.prices })) },
      "tiers",
    ],
  ])("rejects %j", async (...[extra, field]) => {
    expect(await getErrorDetails(setModelPrice(ctx, { ...OWN_PRICE, ...extra }))).toMatchObject({ field });
  });

  it("rejects more prices than a workspace may have, but changes those that exist", async () => {
    await server.database.query(
      `INSERT INTO model_price (workspace_id, id, provider, model, valid_from, input_pico, output_pico, tiers, updated_by)
       SELECT $1, gen_random_uuid(), '*', n::text, '1970-01-01Z', 1, 1, '[]', '{}' FROM generate_series(1, $2::int) n`,
      [ctx.workspaceId, LIMITS.modelPrices],
    );
    expect(await getErrorCode(set("1"))).toBe("validation_failed");
    expect(await set("1", { model: "7" })).toMatchObject({ generation: 2 });
  });
});

describe("deleteModelPrice", () => {
  it("deletes it, and says so", async () => {
    const { id } = await set("1", { model: "claude-opus-4-8" });
    expect(await read("claude-opus-4-8")).toBe(1_000_000n);
    await deleteModelPrice(ctx, { id });
    expect(await read("claude-opus-4-8")).toBe(5_000_000n);
    expect(await getErrorCode(deleteModelPrice(ctx, { id }))).toBe("not_found");
    expect((await readEventTypes(server, id)).at(-1)).toBe("model_price.deleted");
    expect(await lastAudit(server, ctx.workspaceId)).toMatchObject({ action: "model_price.deleted" });
    expect(await listModelPrices(ctx, {})).toMatchObject({ total: 0, nodes: [] });
  });
});

describe("readEffectivePrice", () => {
  it("takes the workspace's price before a shipped one, the longest name, its provider, the newest date", async () => {
    await set("1", { model: "*" });
    await set("2", { model: "claude-*" });
    await set("3", { model: "claude-*", provider: "anthropic" });
    await set("4", { model: "claude-opus-*" });
    await set("5", { model: "claude-opus-4-8" });
    await set("6", { model: "claude-opus-4-8", validFrom: new Date("2026-02-01") });
    await set("7", { model: "claude-opus-4-8-fast" });
    expect(await read("gpt-5", "openai")).toBe(1_000_000n);
    expect(await read("claude-sonnet-5")).toBe(2_000_000n);
    expect(await read("claude-sonnet-5", "anthropic")).toBe(3_000_000n);
    expect(await read("claude-opus-5", "anthropic")).toBe(4_000_000n);
    expect(await read("claude-opus-4-8", null, new Date("2026-01-31"))).toBe(5_000_000n);
    expect(await read("Claude-Opus-4-8[1m]", "anthropic", new Date("2026-02-01"))).toBe(6_000_000n);
    expect(await read("us.anthropic.claude-opus-4-8-fast-20260101-v1:0", "aws.bedrock")).toBe(7_000_000n);
  });

  it("knows nothing of another workspace's prices, and each change at once", async () => {
    const other = server.systemCtx((await server.createWorkspace("Other")).workspaceId);
    await setModelPrice(other, OWN_PRICE);
    expect(await read(OWN_PRICE.model)).toBeNull();
    for (const dollars of ["1", "2", "3"]) {
      await set(dollars);
      expect(await read(OWN_PRICE.model)).toBe(BigInt(dollars) * 1_000_000n);
    }
  });
});

it("is for admins who entered their password recently, and for readers to read", async () => {
  const person = { id: crypto.randomUUID(), workspaceId: ctx.workspaceId };
  const as = (role: Role, isSudo = true) => personCtx(server, person, { role, isSudo });
  const { id } = await setModelPrice(as("admin"), OWN_PRICE);
  expect(await getErrorCode(setModelPrice(as("admin", false), OWN_PRICE))).toBe("sudo_required");
  expect(await getErrorCode(deleteModelPrice(as("admin", false), { id }))).toBe("sudo_required");
  for (const role of ["operator", "viewer"] as const) {
    expect(await getErrorCode(setModelPrice(as(role), OWN_PRICE))).toBe("forbidden");
    expect(await getErrorCode(deleteModelPrice(as(role), { id }))).toBe("forbidden");
    expect(await listModelPrices(as(role), {})).toMatchObject({ total: 1 });
    expect(await readEffectivePrice(as(role), OWN_PRICE)).toMatchObject({ id });
  }
});
