import type { OperationName } from "../operations/operations.ts";

/**
 * The paths of the protocol. Each may begin with a tenant, which says nothing here: the credential does.
 *
 * @see https://github.com/a2aproject/A2A/blob/main/specification/a2a.proto
 */
const ROUTES: [method: string, path: string, operation: OperationName][] = [
  ["POST", "/message:send", "SendMessage"],
  ["POST", "/message:stream", "SendStreamingMessage"],
  ["GET", "/tasks", "ListTasks"],
  ["GET", "/tasks/{id}", "GetTask"],
  ["POST", "/tasks/{id}:cancel", "CancelTask"],
  // The specification has POST, its protocol buffers GET.
  ["POST", "/tasks/{id}:subscribe", "SubscribeToTask"],
  ["GET", "/tasks/{id}:subscribe", "SubscribeToTask"],
  ["POST", "/tasks/{taskId}/pushNotificationConfigs", "CreateTaskPushNotificationConfig"],
  ["GET", "/tasks/{taskId}/pushNotificationConfigs", "ListTaskPushNotificationConfigs"],
  ["GET", "/tasks/{taskId}/pushNotificationConfigs/{id}", "GetTaskPushNotificationConfig"],
  ["DELETE", "/tasks/{taskId}/pushNotificationConfigs/{id}", "DeleteTaskPushNotificationConfig"],
  ["GET", "/extendedAgentCard", "GetExtendedAgentCard"],
];

const COMPILED = ROUTES.map(([method, path, operation]) => ({ method, operation, pattern: compile(path) }));

/** What a request asks for. */
export type Route = { operation: OperationName; params: Record<string, string> };

/** Finds the operation of a request; or the methods that its path allows; or null if it is none. */
export function findRoute(method: string, path: string): Route | { allow: string } | null {
  const fitting = COMPILED.filter(({ pattern }) => pattern.test(path));
  const route = fitting.find((one) => one.method === method);
  if (route !== undefined) {
    return { operation: route.operation, params: { ...route.pattern.exec(path)?.groups } };
  }
  return fitting.length === 0 ? null : { allow: fitting.map((one) => one.method).join(", ") };
}

function compile(path: string): RegExp {
  return new RegExp(`^(?:/(?!tasks/)[^/]+)?${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/:]+)")}$`);
}
