import type { RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

/** Calls of each tool of /mcp with another workspace's ids. What a tool rejects is its answer. */
export function mcpRoutes({
  ids,
  word,
}: Pick<PopulatedWorkspace, "ids" | "word">): Record<string, RouteCall[]> {
  return {
    "POST /register": [{ path: "/register", body: { client_name: ids.agent }, status: 400 }],
    "POST /mcp/proxy/:slug": ["tools/list", "tools/call", "initialize"].map((method) => ({
      path: `/mcp/proxy/${word}`,
      body: { jsonrpc: "2.0", id: 1, method, params: { name: "refund", arguments: {} } },
      status: 404,
    })),
    "DELETE /mcp/proxy/:slug": [{ path: `/mcp/proxy/${word}`, status: 400 }],
    "POST /mcp": Object.entries(listToolCalls(ids, word)).map(([name, given]) => ({
      path: "/mcp",
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
      status: 200,
    })),
  };
}

/** The arguments of each tool, by name. */
export function listToolCalls(ids: PopulatedWorkspace["ids"], word: string): Record<string, object> {
  const held = { task_id: ids.task, lease_token: "x" };
  return {
    task_list: { queue: word },
    task_claim: { queues: [word] },
    task_heartbeat: held,
    task_complete: held,
    task_fail: { ...held, message: "x" },
    task_create: { title: "x" },
    ask_human: { question: "x", wait_s: 0, ...held },
    ask_human_status: { question_id: ids.message },
    permission_check: {
      resource: { type: "agent", id: ids.agent },
      task_id: ids.task,
      approval_id: ids.approval,
    },
    request_approval: { evaluation_id: ids.decision, resource: { type: "tool", id: "stripe.refund" } },
    eval_report: { run_id: ids.evalRun, results: [{ item_key: "x", status: "passed" }] },
    approval_status: { approval_id: ids.approval },
    message_send: { text: "x", task_id: ids.task, recipient_agent_id: ids.agent, reply_to: ids.message },
  };
}
