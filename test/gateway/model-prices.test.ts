import { afterAll, beforeAll, expect, it } from "vitest";
import { type Ask, askBy } from "../support/settings-client.ts";
import { createPerson, beginTestSession } from "../support/people.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;
let ask: Ask;

beforeAll(async () => {
  server = await startTestServer();
  const { workspaceId } = await server.createWorkspace();
  const admin = await createPerson(server, workspaceId, { role: "admin" });
  ask = askBy(server, await beginTestSession(server, admin));
});

afterAll(() => server.close());

const SET = `mutation ($input: SetModelPriceInput!) {
  setModelPrice(input: $input) {
    price { id provider model validFrom prices { input output cacheRead } tiers { aboveInputTokens prices { input } } }
  }
}`;

it("prices are set, read and deleted by admins", async () => {
  const prices = { input: "0.50", output: "2", cacheRead: "0.05" };
  const tiers = [{ aboveInputTokens: 1000, prices: { input: "1", output: "4" } }];
  const input = { model: "house-*", validFrom: "2026-01-01T00:00:00Z", prices, tiers };
  const { body } = await ask(SET, { input });
  const { id, ...price } = body.data.setModelPrice.price;
  expect(price).toEqual({
    ...{ provider: null, model: "house-*", validFrom: "2026-01-01T00:00:00.000Z" },
    prices: { ...prices, input: "0.5" },
    tiers: [{ aboveInputTokens: 1000, prices: { input: "1" } }],
  });
  const read = await ask(`{
    modelPrices { totalCount nodes { id model } }
    own: effectivePrice(model: "house-large") { prices { input cacheWrite } perCall }
    shipped: effectivePrice(provider: "perplexity", model: "sonar") { priceId prices { input } perCall }
    none: effectivePrice(model: "nobody knows") { priceId }
  }`);
  expect(read.body.data).toEqual({
    modelPrices: { totalCount: 1, nodes: [{ id, model: "house-*" }] },
    own: { prices: { input: "0.5", cacheWrite: "0.5" }, perCall: "0" },
    shipped: { priceId: "perplexity/sonar", prices: { input: "1" }, perCall: "0.012" },
    none: null,
  });
  const remove = "mutation ($id: ID!) { deleteModelPrice(input: { id: $id }) { price { id } } }";
  expect((await ask(remove, { id })).body.data.deleteModelPrice.price).toEqual({ id });
});

it("names the field of a price that is out of range", async () => {
  const input = { model: "x", prices: { input: "1", output: "much" } };
  const { body } = await ask(SET, { input });
  expect(body.errors[0]).toMatchObject({
    message: expect.stringContaining("from 0 to 100000"),
    extensions: { code: "VALIDATION_FAILED", field: "prices.output" },
  });
});
