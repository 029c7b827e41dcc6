import { afterAll, beforeAll, expect, it } from "vitest";
import { STATE_3 } from "./domain/robots/vda-states.ts";
import { createClient, type Client } from "./support/client.ts";
import { createWorld, type World } from "./support/world.ts";
import { toGlobalId } from "../src/schema/global-id.ts";

let world: World; let robot: Client; let robotId: string; let token: string;
beforeAll(async () => {
  world = await createWorld();
  const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle: "r1", kind: "robot" } });
  robotId = body.agent_id; token = body.token; robot = createClient(world.server.url, token);
});
afterAll(() => world.server.close());

async function raw(path: string, method: string, text: string) {
  const t = performance.now();
  const r = await fetch(world.server.url + path, { method, body: text, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } });
  const body = await r.text();
  return { status: r.status, size: body.length, ms: Math.round(performance.now() - t), head: body.slice(0, 300) };
}
async function gql(query: string, key = world.apiKey) {
  const r = await fetch(world.server.url + "/graphql", { method: "POST", body: JSON.stringify({ query }), headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } });
  const text = await r.text();
  return { status: r.status, text: text.slice(0, 400), size: text.length };
}
it("vda", async () => {
  const s = { ...STATE_3, headerId: 5 } as Record<string, unknown>;
  const vda = "/api/v1/robots/self/vda5050/state";
  console.log("many bad actions", await raw(vda, "POST", JSON.stringify({ ...s, actionStates: Array(480000).fill(1) })));
  console.log("10k errors", await raw(vda, "POST", JSON.stringify({ ...s, errors: Array.from({ length: 8000 }, (_, i) => ({ errorType: `e${i}`, errorLevel: i % 2 ? "FATAL" : "WARNING", errorDescription: "x".repeat(50) })) })));
  const deep = "[".repeat(200000) + "]".repeat(200000);
  console.log("deep nodes", await raw(vda, "POST", JSON.stringify({ ...s, headerId: 6 }).replace('"nodeStates":[', `"nodeStates":[${deep},`).replace(",]", "]")));
  console.log("deep unknown", await raw(vda, "POST", JSON.stringify({ ...s, headerId: 7 }).replace(/^\{/, `{"zzz":${deep},`)));
  console.log("deep loads", await raw("/api/v1/robots/self/state", "PUT", `{"state_seq":9,"operating_mode":"automatic","loads":[{"a":${deep}}]}`));
  console.log("proto", await raw("/api/v1/robots/self/state", "PUT", `{"state_seq":10,"operating_mode":"automatic","position":{"x":1,"y":2,"__proto__":{"theta":"bad"}},"velocity":{"vx":1e308}}`));
  console.log("inf", await raw("/api/v1/robots/self/state", "PUT", `{"state_seq":11,"operating_mode":"automatic","position":{"x":1e999,"y":2}}`));
  console.log("tiny", await raw("/api/v1/robots/self/state", "PUT", `{"state_seq":12,"operating_mode":"manual","battery_percent":5e-324,"position":{"x":5e-324,"y":-0}}`));
  console.log("gql deep vda", await (async () => { const q = `{"query":"mutation($s:JSON!){reportVdaState(input:{state:$s}){applied}}","variables":{"s":{"version":"3.0.0","nodeStates":${deep}}}}`; return raw("/graphql", "POST", q); })());
}, 120000);
it("eval", async () => {
  const run = await world.agent.post("/api/v1/eval_runs", { suite: "s", name: "n", gate: JSON.parse('{"min_scores":{"__proto__":5,"constructor":1}}') });
  console.log(run.status, JSON.stringify(run.body).slice(0, 500));
  token = world.apiKey;
  const id = run.body.eval_run.id;
  console.log("many bad results", await raw(`/api/v1/eval_runs/${id}/results`, "POST", JSON.stringify({ results: Array(480000).fill(1) })));
  console.log("odd keys", await raw(`/api/v1/eval_runs/${id}/results`, "POST", JSON.stringify({ results: ["é", "e\u0301", "__proto__", "constructor", "\u202e", " ", "𝒳", "ß", "SS", "A", "a"].map((k) => ({ item_key: k, status: "passed", scores: [{ name: "constructor", value: 1 }, { name: "__proto__", value: 0.1 }] })) })));
  console.log("complete", await raw(`/api/v1/eval_runs/${id}/complete`, "POST", "{}"));
  const other = await world.another();
  token = other.apiKey;
  for (const [m, p, b] of [["GET", "", ""], ["GET", "/results", ""], ["GET", "/comparison", ""], ["POST", "/complete", "{}"], ["POST", "/cancel", "{}"], ["POST", "/fail", '{"error":{"message":"x"}}'], ["POST", "/results", '{"results":[{"item_key":"a","status":"passed"}]}']] as const) {
    const r = await fetch(`${world.server.url}/api/v1/eval_runs/${id}${p}`, { method: m, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, ...(b && { body: b }) });
    console.log("other", m, p, r.status);
  }
  console.log("other create", await raw("/api/v1/eval_runs", "POST", JSON.stringify({ suite: "s", name: "n", baseline_run_id: id })));
  console.log("other create agent", await raw("/api/v1/eval_runs", "POST", JSON.stringify({ suite: "s", name: "n", agent_id: robotId })));
  const theirs = await other.agent.post("/api/v1/eval_runs", { suite: "s", name: "n" });
  const c = await fetch(`${world.server.url}/api/v1/eval_runs/${theirs.body.eval_run.id}/comparison?baseline_run_id=${id}`, { headers: { authorization: `Bearer ${token}` } });
  console.log("other compare", c.status, (await c.text()).slice(0, 200));
  const g = toGlobalId("EvalRun", id); const rg = toGlobalId("Robot", robotId);
  console.log(await gql(`{node(id:"${g}"){id} robot(id:"${rg}"){id}}`, other.apiKey));
  console.log(await gql(`{evalComparison(runId:"${toGlobalId("EvalRun", theirs.body.eval_run.id)}",baselineId:"${g}"){counts{added}}}`, other.apiKey));
  console.log(await gql(`{evalRuns(filter:{agentId:"${toGlobalId("Agent", robotId)}"}){totalCount}}`, other.apiKey));
}, 120000);
it("dates", async () => {
  const rg = toGlobalId("Robot", robotId);
  for (const y of ["0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "-000001-01-01T00:00:00Z", "+012345-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.000000001Z", "2026-01-01T00:00:00+99:99"]) {
    console.log(y, await gql(`{robot(id:"${rg}"){samples(from:"${y}",to:"${y}"){at}}}`));
    console.log(await gql(`{timeseries(metric:TASKS_CREATED,from:"${y}",to:"${y.replace("00:00:00", "01:00:00")}",step:60){key}}`));
  }
  for (const metric of ["TASK_WAIT_P95", "LEASES_EXPIRED", "ROBOT_BATTERY", "EVAL_PASS_RATE"])
  console.log(metric, await gql(`{timeseries(metric:${metric},from:"0000-01-01T00:00:00Z",to:"0000-01-01T00:10:00Z",step:60){key values}}`));
  const cur = (s: string) => Buffer.from(s).toString("base64url");
  for (const c of ["999999999999999." + robotId, "0." + robotId, "r1." + "x".repeat(5000), "r1.\ud800"]) {
    console.log(await gql(`{evalRuns(after:"${cur(c)}"){totalCount} conversations(after:"${cur(c)}"){totalCount}}`));
  }
  const run = (await world.agent.get("/api/v1/operator/eval_runs")).body.eval_runs[0].id;
  for (const c of ["r1." + "x".repeat(5000), "r1.\ud800", "r1."]) console.log(await gql(`{evalRun(id:"${toGlobalId("EvalRun", run)}"){results(after:"${cur(c)}"){totalCount nodes{itemKey}}}}`));
}, 60000);
