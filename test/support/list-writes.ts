import type { TestClient } from "./test-client.ts";

/** Writes that change lists, each with something to change. */
export type ListWrites = Record<string, () => Promise<unknown>>;

const API = "/api/v1";

/** An agent's actions in /api/v1: tasks, questions, answers, evaluations and commands. */
export function listWrites(agent: TestClient): ListWrites {
  let held: { id: string; lease_token: string } | null = null;
  const tell = (act: string, body: object = {}) =>
    held === null ? null : agent.post(`${API}/tasks/${held.id}/${act}`, { ...held, ...body });
  const newest = async (path: string, key: string): Promise<string | undefined> =>
    (await agent.get(`${API}${path}?limit=1`)).body[key][0]?.id;
  const post = (path: string, body: object = {}) => agent.post(API + path, body);
  return {
    createTask: () => post("/tasks", { title: "Another" }),
    claimTask: async () => {
      const { body } = await post("/tasks/claim");
      if (body !== null) held = { id: body.task.id, lease_token: body.lease.token };
    },
    beat: async () => tell("heartbeat"),
    progressTask: async () => tell("heartbeat", { progress: Math.random(), status_message: "On it" }),
    releaseTask: async () => tell("release"),
    completeTask: async () => tell("complete", { output: { done: true } }),
    cancelTask: async () => post(`/tasks/${await newest("/tasks", "tasks")}/cancel`),
    say: () => post("/messages", { parts: [{ text: "Hello" }] }),
    ask: async () => {
      const about = held === null ? {} : { task_id: held.id, lease_token: held.lease_token };
      await post("/messages", { parts: [{ text: "Which?" }], kind: "question", ...about });
    },
    answer: async () => {
      const id = await newest("/messages", "messages");
      await post("/messages", { parts: [{ text: "That." }], kind: "answer", reply_to_id: id });
    },
    createRun: () => post("/eval_runs", { suite: "x", name: "x" }),
    addResult: async () => {
      const results = [{ item_key: crypto.randomUUID(), status: "passed", cost_usd: 0.5 }];
      await post(`/eval_runs/${await newest("/operator/eval_runs", "eval_runs")}/results`, { results });
    },
    completeRun: async () => post(`/eval_runs/${await newest("/operator/eval_runs", "eval_runs")}/complete`),
    ...commandWrites(agent),
  };
}

function commandWrites(agent: TestClient): ListWrites {
  const tell = async (act: string, body: object) => {
    const { agent_commands: all } = (await agent.get(`${API}/operator/agent_commands`)).body;
    const open = all.find(({ status }: { status: string }) => !["succeeded", "failed"].includes(status));
    if (open !== undefined) await agent.post(`${API}/agent_commands/${open.id}/${act}`, body);
  };
  return {
    issueCommand: async () => {
      const agentId = (await agent.get(`${API}/whoami`)).body.actor.id;
      // Long enough that no list changes by itself.
      const slow = { ack_timeout_s: 3600, run_timeout_s: 3600 };
      await agent.post(`${API}/operator/agent_commands`, { agent_id: agentId, type: "custom.x", ...slow });
    },
    fetchCommands: () => agent.get(`${API}/agent_commands/next`),
    acknowledge: () => tell("ack", { outcome: "accepted" }),
    progressCommand: () => tell("progress", { progress: Math.random() }),
    endCommand: () => tell("result", { status: "succeeded", result: 1 }),
  };
}
