import type { Surface } from "./methods.ts";
import { PROMPTS } from "./prompts/prompts.ts";
import { resources } from "./resources/resources.ts";
import { approvalStatus } from "./tools/approval-status.ts";
import { askHumanStatus } from "./tools/ask-human-status.ts";
import { askHuman } from "./tools/ask-human.ts";
import { deferredCalls } from "./tools/deferred-calls.ts";
import { evalReport } from "./tools/eval-report.ts";
import { messageSend } from "./tools/message-send.ts";
import { permissionCheck } from "./tools/permission-check.ts";
import { requestApproval } from "./tools/request-approval.ts";
import { taskClaim } from "./tools/task-claim.ts";
import { taskComplete } from "./tools/task-complete.ts";
import { taskCreate } from "./tools/task-create.ts";
import { taskFail } from "./tools/task-fail.ts";
import { taskHeartbeat } from "./tools/task-heartbeat.ts";
import { taskList } from "./tools/task-list.ts";

const INSTRUCTIONS = `\
Agent Ops hands out tasks from queues, and lets people supervise who works on them.
Work in this order: task_claim, then the work, then task_complete or task_fail.
A claim gives you a lease. Renew it with task_heartbeat before it expires, or the task goes to somebody else.
If task_heartbeat says cancel_requested, stop and call task_fail.
Where you are not sure, or may not decide, call ask_human. A person answers in the browser; it may take hours.
While the answer is pending, call ask_human_status now and then, or go on with something else.
Before an action with consequences, call permission_check and act only if it is allowed; if people have to approve, call
request_approval, and permission_check again with the approval.
Use the task's id as the idempotency key of everything that the task does: a task may be tried several times.`;

/** What our server offers. */
export const SURFACE: Surface = {
  instructions: INSTRUCTIONS,
  resources,
  prompts: PROMPTS,
  deferredCalls,
  tools: [
    ...[taskList, taskClaim, taskHeartbeat, taskComplete, taskFail, taskCreate],
    ...[askHuman, askHumanStatus, messageSend],
    ...[permissionCheck, requestApproval, approvalStatus],
    evalReport,
  ],
};
