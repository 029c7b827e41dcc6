import type { TestAnswer, TestClient } from "./test-client.ts";
import { createTestClient } from "./test-client.ts";
import { buildCookie, createPerson, beginTestSession } from "./people.ts";
import type { TestServer } from "./server.ts";

const RUNS = "/api/v1/eval_runs";

/** A successful response of every route of evaluation runs, by its path in the description. */
export async function evalAnswers(
  server: TestServer,
  workspaceId: string,
  agent: TestClient,
): Promise<[method: string, path: string, answer: TestAnswer][]> {
  const person = await createPerson(server, workspaceId, { role: "operator" });
  const headers = { cookie: buildCookie(await beginTestSession(server, person)), origin: server.url };
  const create = () =>
    agent.post(RUNS, { suite: "described", name: "x", baseline_run_id: "latest_baseline" });
  const first = await create();
  const own = `${RUNS}/${first.body.eval_run.id}`;
  const scores = [{ name: "exact", value: 1, annotator_kind: "CODE" }];
  const passed = { results: [{ item_key: "a", status: "passed", scores, output: [1] }] };
  const added = await agent.post(`${own}/results`, passed);
  const completed = await agent.post(`${own}/complete`);
  const promote = `/api/v1/operator/eval_runs/${first.body.eval_run.id}/promote_baseline`;
  const promoted = await createTestClient(server.url).post(promote, {}, headers);
  const next = `${RUNS}/${(await create()).body.eval_run.id}`;
  await agent.post(`${next}/results`, { results: [{ item_key: "a", status: "failed" }] });
  const canceled = `${RUNS}/${(await create()).body.eval_run.id}`;
  const read: [string, string][] = [
    ["/eval_runs/{id}", next],
    ["/eval_runs/{id}/results", `${own}/results`],
    ["/eval_runs/{id}/comparison", `${next}/comparison`],
  ];
  const all: [string, string, TestAnswer][] = [
    ["POST", "/eval_runs", first],
    ["POST", "/eval_runs/{id}/results", added],
    ["POST", "/eval_runs/{id}/complete", completed],
    ["POST", "/operator/eval_runs/{id}/promote_baseline", promoted],
    ["POST", "/eval_runs/{id}/cancel", await agent.post(`${canceled}/cancel`)],
  ];
  for (const [described, path] of read) {
    const answer = await agent.get(path);
    const again = await agent.get(path, { "if-none-match": answer.headers.get("etag") ?? "" });
    all.push(["GET", described, answer], ["GET", described, again]);
  }
  all.push(["POST", "/eval_runs/{id}/fail", await agent.post(`${next}/fail`, { error: { message: "x" } })]);
  return all;
}
