import type { RouteCall } from "./calls.ts";
import type { PopulatedWorkspace } from "./populated-workspace.ts";

const VERSION = "A2A-Version=1.0";

/** Calls of each operation of /a2a with another workspace's ids. What JSON-RPC rejects has status 200. */
export function a2aRoutes({ ids }: Pick<PopulatedWorkspace, "ids">): Record<string, RouteCall[]> {
  const task = `/a2a/v1/tasks/${ids.task}`;
  const filter = `contextId=${ids.context}&pageSize=10&includeArtifacts=true&historyLength=5`;
  return {
    "GET /.well-known/agent-card.json": [{ path: "/.well-known/agent-card.json", status: 200 }],
    "POST /a2a": listOperations(ids).map(([method, params]) => ({
      path: `/a2a?${VERSION}`,
      body: { jsonrpc: "2.0", id: 1, method, params },
      status: 200,
    })),
    "GET /a2a/v1/*": [
      { path: `${task}?${VERSION}`, status: 404 },
      { path: `${task}:subscribe?${VERSION}`, status: 404 },
      { path: `${task}/pushNotificationConfigs?${VERSION}`, status: 400 },
      { path: `/a2a/v1/tasks?${filter}&${VERSION}`, status: 200 },
      { path: `/a2a/v1/extendedAgentCard?${VERSION}`, status: 200 },
    ],
    "POST /a2a/v1/*": [
      { path: `${task}:cancel?${VERSION}`, body: {}, status: 404 },
      { path: `${task}:subscribe?${VERSION}`, body: {}, status: 404 },
      { path: `/a2a/v1/message:send?${VERSION}`, body: send({ taskId: ids.task }), status: 404 },
      { path: `/a2a/v1/message:stream?${VERSION}`, body: send({ taskId: ids.task }), status: 404 },
      { path: `${task}/pushNotificationConfigs?${VERSION}`, body: {}, status: 400 },
    ],
    "DELETE /a2a/v1/*": [{ path: `${task}/pushNotificationConfigs/1?${VERSION}`, status: 400 }],
  };
}

function listOperations(ids: PopulatedWorkspace["ids"]): [method: string, params: object][] {
  return [
    ["GetTask", { id: ids.task }],
    ["CancelTask", { id: ids.task }],
    ["SubscribeToTask", { id: ids.task }],
    ["ListTasks", { contextId: ids.context, includeArtifacts: true }],
    ["SendMessage", send({ taskId: ids.task, contextId: ids.context })],
    ["SendStreamingMessage", send({ taskId: ids.task })],
    ["GetExtendedAgentCard", {}],
    ["CreateTaskPushNotificationConfig", { taskId: ids.task, url: "https://example.com" }],
  ];
}

function send(fields: object): object {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "x" }], ...fields };
  return { message, configuration: { returnImmediately: true } };
}
