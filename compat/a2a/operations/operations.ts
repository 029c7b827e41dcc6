import { A2aError } from "../a2a-error.ts";
import type { Call, Operation } from "../operation.ts";
import { cancelTask } from "./cancel-task.ts";
import { getExtendedAgentCard } from "./get-extended-agent-card.ts";
import { getTask } from "./get-task.ts";
import { listTasks } from "./list-tasks.ts";
import { SEND_SECONDS, sendMessage, sendStreamingMessage } from "./send-message.ts";
import { subscribeToTask } from "./subscribe-to-task.ts";

const UNSUPPORTED: Operation = {
  kind: "answer",
  waitSeconds: 0,
  run: async () => {
    throw new A2aError("PUSH_NOTIFICATION_NOT_SUPPORTED", "There are no push notifications here.");
  },
};

/** The operations, by their names in JSON-RPC. */
export const OPERATIONS = {
  SendMessage: { kind: "answer", run: sendMessage, waitSeconds: SEND_SECONDS },
  SendStreamingMessage: { kind: "stream", begin: sendStreamingMessage },
  GetTask: answer(getTask),
  ListTasks: answer(listTasks),
  CancelTask: answer(cancelTask),
  SubscribeToTask: { kind: "stream", begin: subscribeToTask },
  GetExtendedAgentCard: answer(getExtendedAgentCard),
  CreateTaskPushNotificationConfig: UNSUPPORTED,
  GetTaskPushNotificationConfig: UNSUPPORTED,
  ListTaskPushNotificationConfigs: UNSUPPORTED,
  DeleteTaskPushNotificationConfig: UNSUPPORTED,
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

export function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

function answer(run: (call: Call) => Promise<object>): Operation {
  return { kind: "answer", run, waitSeconds: 0 };
}
