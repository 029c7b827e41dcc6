import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { DOLLARS } from "./budget-scene.ts";
import type { TestAnswer, TestClient } from "./test-client.ts";

/** A successful response of every route of budgets, by its path in the description. */
export async function budgetAnswers(ctx: Ctx, agent: TestClient): Promise<[string, string, TestAnswer][]> {
  await createBudget(ctx, { ...DOLLARS, thresholds: [{ percent: 50, action: "warn" }] });
  const [path, one] = ["/api/v1/budget_reservations", "/budget_reservations/{id}"];
  const held = await agent.post(path, { amounts: { usd: "0.42", tokens: 12 } });
  const { id } = held.body.reservation;
  const spare = (await agent.post(path, {})).body.reservation;
  const list = "/api/v1/operator/budgets";
  const listed = await agent.get(list);
  const etag = listed.headers.get("etag") ?? "";
  return [
    ["POST", "/budget_reservations", held],
    ["GET", one, await agent.get(`${path}/${id}`)],
    ["POST", `${one}/settle`, await agent.post(`${path}/${id}/settle`, { amounts: { tokens: 5 } })],
    ["POST", `${one}/release`, await agent.post(`${path}/${spare.id}/release`)],
    ["GET", "/operator/budgets", listed],
    ["GET", "/operator/budgets", await agent.get(list, { "if-none-match": etag })],
  ];
}
