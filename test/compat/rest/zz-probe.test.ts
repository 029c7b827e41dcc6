import { Agent, request } from "node:http";
import { it } from "vitest";
import { createWorld } from "../../support/world.ts";
const go = (url: string, agent: Agent, method: string, path: string, headers: any, body?: any) => new Promise<string>((resolve) => {
  const r = request(url + path, { method, agent, headers }, async (res) => { let n = 0; for await (const c of res) n += c.length; resolve(res.statusCode + (res.headers.connection ?? "") + (r.reusedSocket ? "r" : "n")); });
  r.on("error", (e: any) => resolve(e.code)); r.end(body);
});
it("probe", async () => {
  const w = await createWorld({ RATE_LIMIT: "0" });
  for (const [name, path, auth, size] of [["401 small", "/api/v1/tasks", "", 20], ["401 100k", "/api/v1/tasks", "", 100_000], ["401 1M", "/api/v1/tasks", "", 1_000_000], ["413 1.1M", "/api/v1/tasks", w.apiKey, 1_100_000], ["413 10M", "/api/v1/tasks", w.apiKey, 10_000_000], ["413 100M", "/api/v1/tasks", w.apiKey, 100_000_000], ["404 1M", "/api/v1/nothing", "", 1_000_000]] as const) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const h: any = { "content-type": "application/json", ...(auth ? { authorization: "Bearer " + auth } : {}) };
    const out = [await go(w.server.url, agent, "POST", path, h, Buffer.alloc(size as number, 32))];
    const t = Date.now();
    const counts: Record<string, number> = {};
    while (Date.now() - t < 900) { const s = await go(w.server.url, agent, "GET", "/api/v1/tasks?limit=0", { authorization: "Bearer " + w.apiKey }); counts[s] = (counts[s] ?? 0) + 1; }
    console.log(name, out, counts);
    agent.destroy();
  }
  await w.server.close();
}, 60000);
