// Generated: npx vitest run test/client/api-types.test.ts --update

/** What the bodies of /api/v1 are made of, by their names in its description. */
export type Schemas = {
  AgentToken: { id: string; agent_id: string; 
/** The key that minted it; null if a workload's trust did. */
api_key_id: string | null; name: string | null; scopes: (string)[]; created_at: string; expires_at: string; revoked_at: string | null; last_used_at: string | null };
  Problem: { 
/** URL of a page that explains the code. */
type: string; title: string; status: number; 
/** Explanation for people. */
detail: string; 
/** Error code for programs. New codes may be added. */
code: string; 
/** The first invalid field, such as `input.0.text`. */
field?: string; 
/** All invalid fields. */
errors?: ({ field: string; detail: string })[]; 
/** With `cursor_expired`: the oldest cursor that still works. */
oldest_cursor?: string; 
/** With `budget_exceeded`: the budget without room. Dollars are decimals. */
budget?: { id: string; name: string; unit: "usd" | "tokens" | "calls"; limit: string; used: string; reserved: string }; 
/** With `budget_exceeded`: seconds to the budget's next period. Null if waiting doesn't help. With a quota that is used up: seconds until it is free again. */
retry_after_s?: number | null; 
/** With `quota_exceeded` (403) and `rate_limited` (429): the workspace's quota that is used up. `resets_in_s` is null if waiting doesn't help. */
quota?: { name: "agents" | "tasks_per_day" | "events_per_second" | "storage_bytes" | "spans_per_day"; limit: number; used: number; resets_in_s: number | null }; 
/** With `already_executed`: the execution. */
execution_id?: string; 
/** With `invalid_state`, `lease_lost` and `already_executed`: the current status. */
current_status?: string; 
/** With `invalid_state`: the statuses that allow it. */
allowed?: (string)[]; 
/** With `token_limit`: the agent's oldest tokens. */
tokens?: ({ id: string; name: string | null; created_at: string; expires_at: string; last_used_at: string | null })[]; 
/** Identifies the request in the service's logs. */
request_id: string };
  IssuedAgentToken: { id: string; token: string; 
/** Same as `token`, under its name in RFC 6749. */
access_token: string; token_type: "Bearer"; 
/** Seconds. */
expires_in: number; expires_at: string; agent_id: string; scopes: (string)[]; 
/** Same as `scopes`, in the format of RFC 6749. */
scope: string; name: string | null };
  NewAgentToken: { 
/** Default: the API key's agent. A handle that doesn't exist creates a new agent. */
agent?: { handle: string; name?: string | null; kind?: "software" | "robot" | null } | null; 
/** Default: all scopes of the API key. */
scopes?: ("agents:read" | "agents:write" | "messages:read" | "messages:write" | "tasks:read" | "tasks:write" | "tasks:work" | "eval_runs:read" | "eval_runs:write" | "agent_commands:read" | "agent_commands:ack" | "agent_commands:write" | "robots:read" | "robots:report" | "missions:read" | "missions:write" | "missions:report" | "traces:read" | "traces:write" | "gateway:check" | "gateway:delegate" | "gateway:read" | "mcp:use" | "mcp:read" | "events:read" | "tokens:introspect")[] | null; name?: string | null; 
/** Lifetime in seconds. Default: 30 days. */
expires_in?: number | null; 
/** If the agent already has 1000 valid tokens of this key, revoke the oldest instead of returning an error. */
revoke_oldest?: boolean | null };
  IssuedSocketToken: { id: string; token: string; 
/** Same as `token`. */
socket_token: string; token_type: "Socket"; 
/** Seconds. */
expires_in: number; expires_at: string; scopes: (string)[]; url: string; protocol: "graphql-transport-ws" };
  NewSocketToken: { 
/** Default: all scopes of the credential. */
scopes?: ("agents:read" | "agents:write" | "messages:read" | "messages:write" | "tasks:read" | "tasks:write" | "tasks:work" | "eval_runs:read" | "eval_runs:write" | "agent_commands:read" | "agent_commands:ack" | "agent_commands:write" | "robots:read" | "robots:report" | "missions:read" | "missions:write" | "missions:report" | "traces:read" | "traces:write" | "gateway:check" | "gateway:delegate" | "gateway:read" | "mcp:use" | "mcp:read" | "events:read" | "tokens:introspect")[] | null; 
/** Whether the token can open only one socket. */
single_use?: boolean };
  TokenIntrospection: ({ active: false }) | ({ active: true; scope: string; token_type: "api_key" | "agent_token" | "socket_token"; 
/** Unix time in seconds. Missing if the token never expires. */
exp?: number; 
/** Unix time in seconds. */
iat: number; 
/** The agent's id. */
sub: string; 
/** The token's id. */
jti: string; workspace_id: string });
  TokenInput: { token: string; 
/** Accepted and ignored. */
token_type_hint?: string };
  TokenForm: { token: string; 
/** Accepted and ignored. */
token_type_hint?: string };
  Done: Record<string, unknown>;
  Whoami: { actor: Schemas["Actor"]; workspace: { id: string; name: string }; credential: { id: string; kind: "api_key" | "agent_token" | "socket_token"; expires_at: string | null } | null; scopes: (string)[] };
  Actor: { type: "agent" | "user" | "scim" | "system"; id: string | null; name: string };
  Agent: { id: string; handle: string; name: string; kind: "software" | "robot"; version: string | null; description: string | null; 
/** Any JSON value. */
capabilities?: unknown; 
/** Any JSON value. */
labels?: unknown; 
/** Whether the agent may work. `stopped` for all agents during an emergency stop. */
control_state: "active" | "paused" | "stopped"; 
/** Of an emergency stop. `confirmed`: it acknowledged every command of the stop, and none failed since. `unreachable`: it has not, and was not seen for a minute or one of the commands ended otherwise: expired, rejected, failed, timed out, canceled. `pending`: it is online, and its confirmation is waited for. */
stop_state: "confirmed" | "pending" | "unreachable" | null; presence: "online" | "stale" | "offline"; 
/** Accurate to 30 seconds. */
last_seen_at: string | null; archived_at: string | null; generation: number; created_at: string; updated_at: string };
  Pagination: { limit: number; offset: number; 
/** Exact total, or null if a filter matches more than 10,000. */
total: number | null; has_more: boolean; 
/** Offset of the next page. Null on the last page, or if it exceeds the maximum offset. */
next_offset: number | null };
  AgentProfile: { name?: string; version?: string | null; description?: string | null; 
/** The commands that the agent supports, with the JSON Schema (draft 2020-12 or 07) of their params: at most 2000 values, 100 references and 100 patterns; references only within the schema; patterns in RE2 syntax. */
capabilities?: ({ type: string; params_schema?: (boolean) | (Record<string, unknown>) })[] };
  NoFields: Record<string, unknown>;
  AgentControl: { 
/** Whether the agent may work. `stopped` for all agents during an emergency stop. */
control_state: "active" | "paused" | "stopped"; reason?: string | null };
  AgentLabels: { labels: Record<string, string> };
  Stop: { id: string; 
/** The agents that it is for. Null for all of the workspace. */
scope: { kind: "software" | "robot" | null; labels: Record<string, string> } | null; at: string; by: Schemas["Actor"]; reason: string; 
/** Agents covered by the stop that are neither archived nor resumed. */
agents: { total: number; confirmed: number; pending: number; unreachable: number }; 
/** Agents that have not confirmed, at most 100: robots first, then unreachable ones. `pending` and `unreachable` give the full numbers. */
outstanding: (Schemas["OutstandingAgent"])[]; stages: (Schemas["StopStage"])[]; released_at: string | null } | null;
  OutstandingAgent: { id: string; name: string; kind: "software" | "robot"; 
/** Of an emergency stop. `confirmed`: it acknowledged every command of the stop, and none failed since. `unreachable`: it has not, and was not seen for a minute or one of the commands ended otherwise: expired, rejected, failed, timed out, canceled. `pending`: it is online, and its confirmation is waited for. */
state: "confirmed" | "pending" | "unreachable"; last_seen_at: string | null };
  StopStage: { id: string; at: string; by: Schemas["Actor"]; reason: string; 
/** The agents that it resumed. */
count: number; labels: Record<string, string> | null; percent: number | null };
  Workspace: { id: string; name: string; emergency_stop_at: string | null; emergency_stop_reason: string | null; generation: number };
  EmergencyStop: { reason: string; 
/** The agents to stop: those of a kind, with all of some labels. Default: all of the workspace. */
scope?: { kind?: "software" | "robot" | null; labels?: Record<string, string> } | null };
  Because: { reason: string };
  ResumeAgents: { 
/** One of `ids`, `labels` and `percent`. */
agents: { ids?: (string)[]; labels?: Record<string, string>; 
/** The same agents each time, and with a larger number more. */
percent?: number }; reason: string };
  ReleaseStop: { reason: string };
  Message: { id: string; context_id: string; task_id: string | null; mission_id: string | null; role: "user" | "agent"; sender: Schemas["Actor"]; recipient_agent_id: string | null; kind: "text" | "question" | "answer" | "notice"; parts: (Schemas["Part"])[]; reply_to_id: string | null; expects_reply: boolean; answered_by_id: string | null; reference_task_ids: (string)[]; 
/** Any JSON value. */
metadata?: unknown; trace_id: string | null; created_at: string };
  Part: { text?: string; data?: unknown; url?: string; raw?: string; media_type?: string; filename?: string; metadata?: Record<string, unknown> };
  NewMessage: { 
/** An id of your choice. Sending the same id again changes nothing. */
id?: string; context_id?: string | null; task_id?: string | null; mission_id?: string | null; recipient_agent_id?: string | null; kind?: "text" | "question" | "answer" | "notice"; parts: (Schemas["Part"])[]; 
/** Required for an answer: the question's id. An agent can answer questions to it or to everybody, but not its own. */
reply_to_id?: string | null; expects_reply?: boolean; reference_task_ids?: (string)[]; 
/** Any JSON object of at most 16384 bytes. */
metadata?: Record<string, unknown>; 
/** With a question about a task that you hold: pauses the task until the answer arrives. */
lease_token?: string | null; 
/** Seconds until the waiting task fails. Default: no limit. */
input_timeout_s?: number | null };
  Task: { id: string; context_id: string; title: string; queue: string; assignee_agent_id: string | null; input: (Schemas["Part"])[]; status: "submitted" | "working" | "input_required" | "auth_required" | "completed" | "failed" | "canceled" | "rejected"; status_message: string | null; priority: number; progress: number | null; 
/** Any JSON value. */
output?: unknown; 
/** Any JSON value. */
artifacts?: unknown; 
/** Any JSON value. */
error?: unknown; claimed_by_agent_id: string | null; attempt: number; max_attempts: number; run_after: string | null; deadline_at: string | null; cancel_requested_at: string | null; parent_task_id: string | null; mission_id: string | null; 
/** The decision that asked `approval_id`. */
decision_id: string | null; 
/** The last question to people about a call for the task. While it is `auth_required`, one that it waits for. */
approval_id: string | null; trace_id: string | null; 
/** Any JSON value. */
labels?: unknown; 
/** Any JSON value. */
metadata?: unknown; created_by: Schemas["Actor"]; generation: number; created_at: string; updated_at: string; finished_at: string | null };
  NewTask: { title: string; queue?: string; assignee_agent_id?: string | null; input?: (Schemas["Part"])[]; priority?: number; max_attempts?: number; run_after?: string | null; deadline_at?: string | null; context_id?: string | null; parent_task_id?: string | null; labels?: Record<string, string>; 
/** Any JSON object of at most 16384 bytes. */
metadata?: Record<string, unknown> };
  TaskCancellation: { reason?: string | null };
  Lease: { 
/** Shown only once. Send it with every call about this task. */
token: string; expires_at: string; 
/** Fencing token: grows with every claim of the task. For idempotency keys of your own, use the task's id, which never changes. */
attempt: number; 
/** The parent of the work's spans, as a W3C traceparent. */
traceparent: string };
  TaskClaim: { queues?: (string)[]; lease_s?: number; wait?: number };
  TaskHeartbeat: { 
/** The lease token returned by the claim. */
lease_token: string; progress?: number | null; status_message?: string | null };
  TaskCompletion: { 
/** The lease token returned by the claim. */
lease_token: string; 
/** Any JSON value. */
output?: unknown; artifacts?: ({ artifact_id: string; name?: string; parts: (Schemas["Part"])[] })[] };
  TaskFailure: { 
/** The lease token returned by the claim. */
lease_token: string; error: { code?: string; message: string; 
/** Default: true. */
retryable?: boolean } };
  TaskRejection: { 
/** Not needed if the task is unclaimed and assigned to you. */
lease_token?: string | null; reason?: string | null };
  TaskLease: { 
/** The lease token returned by the claim. */
lease_token: string };
  EvalRun: { id: string; suite: string; name: string; agent_id: string | null; agent_version: string | null; 
/** Any JSON value. */
dataset?: unknown; status: "queued" | "running" | "completed" | "failed" | "canceled"; result_counts: Schemas["EvalResultCounts"]; 
/** Any JSON value. */
score_summaries?: unknown; baseline_run_id: string | null; 
/** Any JSON value. */
gate?: unknown; verdict: "passed" | "failed" | "none"; 
/** Gate rules that failed, or that couldn't be checked without a baseline. */
verdict_reasons: (string)[]; 
/** Any JSON value. */
error?: unknown; is_baseline: boolean; 
/** Any JSON value. */
source?: unknown; cost_usd: number | null; 
/** Any JSON value. */
metadata?: unknown; created_by: Schemas["Actor"]; generation: number; created_at: string; updated_at: string; started_at: string | null; finished_at: string | null };
  EvalResultCounts: { 
/** All results, including skipped ones. */
total: number; passed: number; failed: number; errored: number };
  NewEvalRun: { 
/** All runs of a suite share one baseline. */
suite: string; name: string; 
/** The evaluated agent. */
agent_id?: string | null; agent_version?: string | null; dataset?: { name: string; version?: string | null } | null; 
/** A completed run of the suite, or `latest_baseline` for the suite's current one, if any. */
baseline_run_id?: ("latest_baseline") | (string) | (null); gate?: Schemas["EvalGate"]; source?: { commit?: string | null; branch?: string | null; ci_url?: string | null } | null; 
/** Any JSON object of at most 16384 bytes. */
metadata?: Record<string, unknown> };
  EvalGate: { 
/** Minimum share of passed results, not counting skipped ones. */
min_pass_rate?: number | null; 
/** Maximum number of items that passed in the baseline and don't pass in this run. */
max_regressions?: number | null; 
/** Minimum mean of a score, by its name. */
min_scores?: Record<string, number> | null } | null;
  EvalRunCancellation: { reason?: string | null };
  EvalRunFailure: { error: { code?: string; message: string } };
  EvalResultBatch: { results: (Schemas["NewEvalResult"])[] };
  NewEvalResult: { 
/** Identifies the item in every run of the suite. */
item_key: string; status: "passed" | "failed" | "errored" | "skipped"; 
/** Any JSON value. */
input?: unknown; 
/** Any JSON value. */
expected?: unknown; 
/** Any JSON value. */
output?: unknown; scores?: (Schemas["EvalScore"])[] | null; latency_ms?: number | null; cost_usd?: number | null; trace_id?: string | null; error?: string | null };
  EvalScore: { name: string; value: number; label?: string | null; explanation?: string | null; annotator_kind?: "LLM" | "CODE" | "HUMAN" | null };
  EvalResult: { id: string; item_key: string; 
/** Any JSON value. */
input?: unknown; 
/** Any JSON value. */
expected?: unknown; 
/** Any JSON value. */
output?: unknown; status: "passed" | "failed" | "errored" | "skipped"; 
/** Any JSON value. */
scores?: unknown; latency_ms: number | null; cost_usd: number | null; trace_id: string | null; error: string | null; created_at: string };
  EvalComparison: { eval_run_id: string; baseline_run_id: string; counts: { regressions: number; improvements: number; added: number; removed: number; unchanged: number }; 
/** Items that passed in the baseline and failed or errored in the run. */
regressions: (Schemas["EvalChange"])[]; 
/** Items that failed or errored in the baseline and passed in the run. */
improvements: (Schemas["EvalChange"])[]; 
/** Items that are not in the baseline. */
added: (Schemas["EvalChange"])[]; 
/** Items that are not in the run. */
removed: (Schemas["EvalChange"])[]; score_deltas: (Schemas["EvalScoreDelta"])[] };
  EvalChange: { item_key: string; 
/** Status in the baseline, or null if the item isn't in it. */
from: "passed" | "failed" | "errored" | "skipped" | null; 
/** Status in the run, or null if the item isn't in it. */
to: "passed" | "failed" | "errored" | "skipped" | null; trace_id: string | null; baseline_trace_id: string | null };
  EvalScoreDelta: { name: string; 
/** Mean in the baseline. */
from: number | null; 
/** Mean in the run. */
to: number | null; delta: number | null };
  AgentCommand: { id: string; agent_id: string; 
/** Number of the command for this agent: 1, 2, 3, … One that is approved gets the next number then. */
seq: number; type: string; 
/** Any JSON value. */
params?: unknown; status: "awaiting_approval" | "queued" | "delivered" | "acknowledged" | "running" | "succeeded" | "failed" | "rejected" | "timed_out" | "expired" | "canceled"; priority: "normal" | "urgent"; not_before: string | null; expires_at: string; ack_timeout_s: number; run_timeout_s: number; delivery_attempts: number; delivered_at: string | null; acknowledged_at: string | null; started_at: string | null; finished_at: string | null; progress: number | null; status_detail: string | null; 
/** Any JSON value. */
result?: unknown; 
/** Any JSON value. */
error?: unknown; 
/** Whether the result arrived after the timeout. */
late: boolean; issued_by: Schemas["Actor"]; batch_id: string | null; task_id: string | null; mission_id: string | null; 
/** What policies decided. Null if none is for such a command. */
decision_id: string | null; 
/** The question to people, if policies asked them. */
approval_id: string | null; 
/** The parent of the work's spans, as a W3C traceparent. */
traceparent: string; generation: number; created_at: string; updated_at: string };
  AgentCommandAcknowledgement: { 
/** Whether the agent will execute the command, won't, or can't yet. */
outcome: "accepted" | "rejected" | "deferred"; reason?: string | null; 
/** Seconds until a deferred command is delivered again. Default: 60. */
retry_after_s?: number | null };
  AgentCommandProgress: { progress?: number | null; detail?: string | null };
  AgentCommandResult: { status: "succeeded" | "failed"; 
/** Any JSON value. */
result?: unknown; 
/** Only for `failed`. */
error?: { code: string; message: string } | null };
  NewAgentCommand: { 
/** The agent to send it to. */
agent_id?: string | null; 
/** Instead of `agent_id`: all agents of this kind with these labels, at most 500. */
selector?: { kind?: "software" | "robot" | null; labels?: Record<string, string> | null } | null; 
/** Built in, such as `agent.pause`, or `custom.` and a name. */
type: ("agent.pause" | "agent.resume" | "agent.stop" | "agent.restart" | "agent.reload_config" | "task.cancel" | "mission.start" | "mission.pause" | "mission.resume" | "mission.cancel" | "mission.retry_step" | "mission.skip_step" | "robot.stop" | "robot.dock" | "robot.localize") | (string); 
/** At most 64 KiB, and 4 MiB for all agents. Valid against the agents' schemas. */
params?: Record<string, unknown>; 
/** Default: `normal`. Pause, resume and stop are always urgent. */
priority?: "normal" | "urgent"; 
/** Seconds. Default: 3600. */
expires_in_s?: number; not_before?: string | null; 
/** Seconds. Default: 30. */
ack_timeout_s?: number; 
/** Seconds. Default: 600. */
run_timeout_s?: number; task_id?: string | null; mission_id?: string | null };
  AgentCommandCancellation: { reason?: string | null };
  RobotState: { 
/** Must grow with every report. After 45 seconds without an accepted report, any number is accepted. */
state_seq: number; 
/** Set it if `state_seq` starts over with this report. */
restarted?: boolean; 
/** As defined by VDA 5050. */
operating_mode: "automatic" | "semiautomatic" | "intervened" | "manual" | "startup" | "service" | "teach_in"; battery_percent?: number | null; charging?: boolean; driving?: boolean; paused?: boolean; 
/** Whether the robot is executing an order, even if it stands still. */
executing?: boolean; emergency_stop?: "none" | "manual" | "remote"; field_violation?: boolean; 
/** Metres and radians. */
position?: { x: number; y: number; theta?: number | null; map_id?: string | null; localized?: boolean } | null; 
/** Metres and radians per second, in the robot's own frame. */
velocity?: { vx?: number; vy?: number; omega?: number } | null; errors?: ({ type: string; level: "warning" | "urgent" | "critical" | "fatal"; description?: string | null; hint?: string | null; references?: ({ key: string; value: string })[] })[]; 
/** Objects of at most 4096 bytes. */
loads?: (Record<string, unknown>)[] };
  VdaState: Record<string, unknown>;
  Robot: { 
/** The same id as the robot's agent. */
id: string; manufacturer: string | null; model: string | null; serial_number: string | null; fleet: string | null; 
/** As defined by VDA 5050. */
operating_mode: "automatic" | "semiautomatic" | "intervened" | "manual" | "startup" | "service" | "teach_in"; 
/** The activity the robot reports. */
status: "offline" | "error" | "charging" | "paused" | "executing" | "idle"; 
/** Whether the agent may work. `stopped` for all agents during an emergency stop. */
control_state: "active" | "paused" | "stopped"; 
/** Of an emergency stop. `confirmed`: it acknowledged every command of the stop, and none failed since. `unreachable`: it has not, and was not seen for a minute or one of the commands ended otherwise: expired, rejected, failed, timed out, canceled. `pending`: it is online, and its confirmation is waited for. */
stop_state: "confirmed" | "pending" | "unreachable" | null; battery_percent: number | null; charging: boolean; 
/** Any JSON value. */
position?: unknown; 
/** Any JSON value. */
velocity?: unknown; driving: boolean; paused: boolean; emergency_stop: "none" | "manual" | "remote"; field_violation: boolean; 
/** Any JSON value. */
errors?: unknown; 
/** Any JSON value. */
loads?: unknown; accepts_missions: boolean; current_mission_id: string | null; state_seq: number; state_at: string | null; generation: number; created_at: string; updated_at: string };
  Mission: { id: string; title: string; kind: "transport" | "inspection" | "patrol" | "dock" | "custom"; robot_id: string | null; 
/** Any JSON value. */
selector?: unknown; min_battery: number | null; priority: number; status: "awaiting_approval" | "pending" | "assigned" | "running" | "paused" | "completed" | "failed" | "canceled" | "expired"; progress: number; estimated_duration_s: number | null; deadline_at: string | null; cancel_requested_at: string | null; 
/** Any JSON value. */
error?: unknown; task_id: string | null; context_id: string | null; 
/** What policies decided. Null if none is for such a mission. */
decision_id: string | null; 
/** The question to people, if policies asked them. */
approval_id: string | null; trace_id: string | null; created_by: Schemas["Actor"]; generation: number; created_at: string; updated_at: string; started_at: string | null; finished_at: string | null };
  WholeMission: { id: string; title: string; kind: "transport" | "inspection" | "patrol" | "dock" | "custom"; robot_id: string | null; 
/** Any JSON value. */
selector?: unknown; min_battery: number | null; priority: number; status: "awaiting_approval" | "pending" | "assigned" | "running" | "paused" | "completed" | "failed" | "canceled" | "expired"; progress: number; estimated_duration_s: number | null; deadline_at: string | null; cancel_requested_at: string | null; 
/** Any JSON value. */
error?: unknown; task_id: string | null; context_id: string | null; 
/** What policies decided. Null if none is for such a mission. */
decision_id: string | null; 
/** The question to people, if policies asked them. */
approval_id: string | null; trace_id: string | null; created_by: Schemas["Actor"]; generation: number; created_at: string; updated_at: string; started_at: string | null; finished_at: string | null; 
/** The robot requested at creation. Null if any matching robot may do it. */
requested_robot_id: string | null; 
/** Of a mission without a requested robot: those for which policies allow it, or people are asked. Empty if no policy is for it. */
allowed_robot_ids: (string)[]; 
/** How often a robot failed to accept the mission. After the third time the mission fails. */
dispatch_attempts: number; assigned_at: string | null; 
/** The command that sent the mission to its robot. */
start_command_id: string | null; steps: (Schemas["MissionStep"])[] };
  MissionStep: { key: string; type: "move" | "action" | "wait" | "custom"; 
/** Any JSON value. */
params?: unknown; status: "waiting" | "initializing" | "running" | "paused" | "retriable" | "finished" | "failed" | "skipped"; 
/** Any JSON value. */
result?: unknown; 
/** Any JSON value. */
error?: unknown; started_at: string | null; finished_at: string | null };
  NewMission: { title: string; kind: "transport" | "inspection" | "patrol" | "dock" | "custom"; 
/** The robot to assign. */
robot_id?: string | null; 
/** Instead of `robot_id`: any robot of this fleet, with all of these labels, or both. Default: any robot. */
selector?: { kind?: "robot" | null; fleet?: string | null; labels?: Record<string, string> | null } | null; steps: ({ key: string; type: "move" | "action" | "wait" | "custom"; 
/** Any JSON object of at most 49152 bytes. */
params?: Record<string, unknown> })[]; priority?: number; min_battery?: number | null; estimated_duration_s?: number | null; deadline_at?: string | null; task_id?: string | null; context_id?: string | null };
  MissionSteering: { reason?: string | null };
  MissionCancellation: { 
/** Cancels at once, without waiting for the robot to confirm. */
force?: boolean; reason?: string | null };
  MissionStepSteering: { step_key: string; reason?: string | null };
  MissionProgress: { 
/** The changed steps, or all. */
steps?: ({ key: string; 
/** Only operators can set `skipped`. */
status: "waiting" | "initializing" | "running" | "paused" | "retriable" | "finished" | "failed" | "skipped"; 
/** Any JSON value. */
result?: unknown; 
/** For a failed or retriable step, such as `type`, `level` and `detail`. */
error?: unknown })[]; 
/** Optional: the mission completes or fails with its steps. */
status?: "running" | "paused" | "completed" | "failed" | "canceled" | null; 
/** The mission's generation that the robot knows. If it has changed, the response is 412. */
generation?: number | null };
  GatewayCheck: { 
/** The decision's id, under which it is logged. */
id: string; 
/** `pending`: people are asked. Act only on `allowed`. */
status: "allowed" | "denied" | "pending"; reason: "policy_allow" | "default_allow" | "approval_granted" | "approval_required" | "approval_denied" | "budget_exceeded" | "approval_expired" | "approval_unverifiable" | "out_of_scope" | "policy_deny" | "policy_error" | "default_deny" | "arguments_missing" | "request_unusable" | "agent_paused" | "agent_stopped" | "emergency_stop"; 
/** The names of the policies that decided. Null without `gateway:read`. */
policies: (string)[] | null; decided_at: string; approval?: Schemas["AskedApproval"]; execution?: Schemas["StartedExecution"]; reservation?: Schemas["BudgetReservation"]; budget?: Schemas["ExceededBudget"] };
  AskedApproval: { id: string; status: "pending" | "approved" | "denied" | "expired" | "cancelled"; 
/** Until when people can decide. */
expires_at: string; approved_until: string | null; 
/** Why a person denied or revoked it. */
comment: string | null };
  StartedExecution: { 
/** The key for the effect. */
id: string; 
/** Larger in each execution: whoever performs the effect can reject a smaller one. */
fence: number; lease_expires_at: string; 
/** What people put in the place of your arguments: execute these. Null if they changed nothing. */
arguments?: unknown };
  BudgetReservation: { id: string; agent_id: string; status: "held" | "settled" | "released" | "expired"; 
/** Whether it expired and counts as used, although nobody knows what was. */
assumed: boolean; 
/** What was used: what its agent said, else what telemetry says. Null unless it was settled. */
amounts: { 
/** Dollars as a decimal, tokens and calls as a whole number. */
usd: string | null; tokens: number | null } | null; 
/** The budgets that it is for, with the sums of the period that admitted it. */
budgets: ({ id: string; name: string; unit: "usd" | "tokens" | "calls"; 
/** Dollars as a decimal, tokens and calls as a whole number. */
limit: string; 
/** Dollars as a decimal, tokens and calls as a whole number. */
used: string; 
/** Dollars as a decimal, tokens and calls as a whole number. */
reserved: string; window_ends_at: string | null })[]; decision_id: string | null; expires_at: string; ended_at: string | null; created_at: string };
  ExceededBudget: { id: string; name: string; unit: "usd" | "tokens" | "calls"; 
/** Dollars as a decimal, tokens and calls as a whole number. */
limit: string; 
/** Dollars as a decimal, tokens and calls as a whole number. */
used: string; 
/** Dollars as a decimal, tokens and calls as a whole number. */
reserved: string };
  GatewayCheckRequest: { request: Schemas["AccessRequest"]; options?: Schemas["GatewayCheckOptions"] };
  AccessRequest: { 
/** Who would act. Default: the caller. Others need `gateway:delegate`. */
subject?: { type: string; id: string; properties?: Record<string, unknown> }; 
/** Such as `tools/call`, with the arguments in `properties.arguments`. */
action: { name: string; properties?: Record<string, unknown> }; 
/** Such as the tool `stripe.refund`. */
resource: { type: string; id: string; properties?: Record<string, unknown> }; 
/** What else is known. `task_id` joins the decision to a task of this workspace. */
context?: Record<string, unknown> };
  GatewayCheckOptions: { 
/** Whether to use an approval, and to ask people if there is none. Without it: denied. */
auto_request?: boolean; 
/** How long to wait for people, in seconds. */
wait?: number; 
/** Whether people may change the arguments. You must then execute those of `execution`. */
accept_edits?: boolean };
  NewBudgetReservation: { amounts?: Schemas["Amounts"]; expires_in_s?: number; 
/** The check that it is for. */
decision_id?: string };
  Amounts: { 
/** At most 1,000,000. */
usd?: string; tokens?: number };
  SettledAmounts: { amounts?: Schemas["Amounts"] };
  Budget: { id: string; name: string; description: string | null; 
/** Whose use counts: one sum, or one for each agent or value of a label. */
scope: { type: "workspace" | "each_agent" | "agent" | "each_label" | "label"; agent_id: string | null; label: string | null; value: string | null }; unit: "usd" | "tokens" | "calls"; 
/** Dollars as a decimal, tokens and calls as a whole number. */
limit: string; period: "minute" | "hour" | "day" | "month" | "total"; time_zone: string; thresholds: ({ percent: number; action: "warn" | "pause" | "ask" })[]; 
/** Dollars as a decimal, tokens and calls as a whole number. */
default_estimate: string | null; on_expiry: "charge" | "release"; enabled: boolean; 
/** The sums of the current period, at most 20, by subject. */
windows: ({ 
/** The agent's id or the label's value; empty if the budget has one sum. */
subject: string; 
/** Dollars as a decimal, tokens and calls as a whole number. */
limit: string; 
/** Dollars as a decimal, tokens and calls as a whole number. */
used: string; 
/** Dollars as a decimal, tokens and calls as a whole number. */
reserved: string; starts_at: string; ends_at: string | null })[]; created_by: Schemas["Actor"]; updated_by: Schemas["Actor"]; generation: number; created_at: string; updated_at: string };
  WholeExecution: { 
/** The key for the effect: the same as long as it is the same one. */
id: string; 
/** Larger in each execution: whoever performs the effect can reject a smaller one. Sent with each report. */
fence: number; 
/** `unknown`: the lease ended without a report, or the agent doesn't know. `retried`: a person had it done again. */
status: "started" | "completed" | "failed" | "unknown" | "unreported" | "retried"; 
/** Null if policies allowed it without a person. */
approval_id: string | null; 
/** Which use of the approval, from 1. */
use_number: number | null; decision_id: string; agent_id: string; action: string; resource: { type: string; id: string }; request_hash: string; 
/** Any JSON value. */
result?: unknown; error: { code: string; message: string } | null; effect: "none" | "partial" | "unknown" | null; ended_at: string | null; 
/** The person who said how it ended, or had it done again. */
resolved_by: (Schemas["Actor"]) | (null); resolved_reason: string | null; 
/** The execution that a person had done again by this one. */
retry_of: string | null; task_id: string | null; trace_id: string | null; generation: number; created_at: string; updated_at: string; 
/** Until when the agent must report or send a heartbeat. */
lease_expires_at: string; 
/** The arguments that an approver put in place of those that were asked for: execute these. Null if none did. */
arguments?: unknown };
  NewExecution: { 
/** The approval to use. */
approval_id?: string; 
/** Instead of an approval: the check that allowed it. */
decision_id?: string; request: (Schemas["AccessRequest"]) & (unknown); 
/** Seconds until you must report or send a heartbeat. Default: 120. */
lease_s?: number };
  Execution: { 
/** The key for the effect: the same as long as it is the same one. */
id: string; 
/** Larger in each execution: whoever performs the effect can reject a smaller one. Sent with each report. */
fence: number; 
/** `unknown`: the lease ended without a report, or the agent doesn't know. `retried`: a person had it done again. */
status: "started" | "completed" | "failed" | "unknown" | "unreported" | "retried"; 
/** Null if policies allowed it without a person. */
approval_id: string | null; 
/** Which use of the approval, from 1. */
use_number: number | null; decision_id: string; agent_id: string; action: string; resource: { type: string; id: string }; request_hash: string; 
/** Any JSON value. */
result?: unknown; error: { code: string; message: string } | null; effect: "none" | "partial" | "unknown" | null; ended_at: string | null; 
/** The person who said how it ended, or had it done again. */
resolved_by: (Schemas["Actor"]) | (null); resolved_reason: string | null; 
/** The execution that a person had done again by this one. */
retry_of: string | null; task_id: string | null; trace_id: string | null; generation: number; created_at: string; updated_at: string };
  ExecutionHeartbeat: { 
/** The execution's fence. */
fence: number };
  ExecutionCompletion: { 
/** The execution's fence. */
fence: number; 
/** For people: any JSON value of at most 64 KiB. Stored without secrets. */
result?: unknown; amounts?: (Schemas["Amounts"]) & (unknown) };
  ExecutionFailure: { 
/** The execution's fence. */
fence: number; error: { code?: string; message: string }; 
/** What was done before it failed. With `unknown`, the execution is unknown until a person resolves it. */
effect: "none" | "partial" | "unknown"; amounts?: (Schemas["Amounts"]) & (unknown) };
  ExecutionResolution: { 
/** How it ended, or `retried`: its agent does it again, in another execution with a larger fence. */
outcome: "completed" | "failed" | "retried"; reason: string };
  GatewayEntity: { type: string; 
/** Its id in requests, unique in its type. */
id: string; 
/** Any JSON object of at most 16384 bytes. */
properties: Record<string, unknown>; 
/** Counts its changes, from 1. */
generation: number; created_at: string; updated_at: string };
  NewGatewayEntity: { 
/** Any JSON object of at most 16384 bytes. */
properties: Record<string, unknown> };
  Approval: { id: string; status: "pending" | "approved" | "denied" | "expired" | "cancelled"; decision_id: string; 
/** The agent that asked. Null for a person. */
agent_id: string | null; 
/** Who would act. `name` is a person's. Null for the agent itself. */
subject: { type: string; id: string; name?: string } | null; action: string; resource: { type: string; id: string }; 
/** As it was asked, without secrets. */
request?: unknown; 
/** How many of its values are hidden as secrets. */
hidden_values: number; 
/** SHA-256, in hex, of what is asked for now. Send it with an answer, to decide what you saw. */
request_hash: string; 
/** In the place of the agent's. Null without changes. */
edited_arguments?: unknown; 
/** The names of the policies that ask. */
policies: (string)[]; 
/** The least role of those who decide. */
role: "operator" | "admin" | "owner" | "viewer"; 
/** How many people must approve. */
persons: number; reviews: (Schemas["ApprovalReview"])[]; 
/** Why a person denied or revoked it. */
comment: string | null; scope: "exact" | "tool"; uses: number; used_count: number; can_edit: boolean; 
/** Until when people can decide. */
expires_at: string; decided_at: string | null; approved_until: string | null; revoked_at: string | null; task_id: string | null; 
/** The command that waits for it. */
command_id: string | null; 
/** The mission that waits for it. */
mission_id: string | null; trace_id: string | null; generation: number; created_at: string; updated_at: string };
  ApprovalReview: { by: Schemas["Actor"]; verdict: "approve" | "deny"; comment: string | null; 
/** Whether it is about the current arguments. Others don't count. */
current: boolean; created_at: string };
  Approve: { comment?: string; 
/** The `request_hash` that you saw. Fails if it is another one now. */
request_hash?: string; 
/** Any JSON object of at most 65536 bytes. */
arguments?: Record<string, unknown> };
  Deny: { comment: string; 
/** The `request_hash` that you saw. Fails if it is another one now. */
request_hash?: string };
  Revoke: { reason: string };
  Decision: { id: string; 
/** The agent that asked. Null for a person. */
agent_id: string | null; 
/** Who would act. `name` is a person's. Null for the agent itself. */
subject: { type: string; id: string; name?: string } | null; action: string; resource: { type: string; id: string }; outcome: "allow" | "deny" | "ask"; reason: string; policies: (Schemas["DecisionPolicy"])[]; 
/** The outcome if monitored policies counted, where it is another one. */
would: "allow" | "deny" | "ask" | null; 
/** The request without secrets. Null if it has more than 16 KiB. */
request?: unknown; request_hash: string; task_id: string | null; trace_id: string | null; request_id: string | null; latency_us: number; created_at: string };
  DecisionPolicy: { id: string; generation: number; name: string; effect: "allow" | "deny" | "ask"; mode: "enforce" | "monitor"; 
/** Why its condition could not be evaluated. */
error: string | null; 
/** Whether it made the outcome. */
decided: boolean };
  DecisionExplanation: { outcome: "allow" | "deny" | "ask"; reason: string; 
/** Counts the changes of the workspace's policies. Null if they were not asked. */
generation: number | null; 
/** In their order, up to the one that decided. */
steps: (Schemas["DecisionStep"])[]; 
/** The request without secrets. Null if it has more than 16 KiB. */
request?: unknown; 
/** What can't be said, and why. */
gaps: (string)[] };
  DecisionStep: { step: "stop" | "policies" | "budgets" | "approval"; 
/** Whether it made the outcome. */
decided: boolean; 
/** For `policies`: in the scope of how many the request was. */
considered: number | null; 
/** For `policies`: how many enabled ones there were. */
of: number | null; 
/** For `policies`: those that decided first, at most 50. */
policies: (Schemas["ConsideredPolicy"])[] | null; approval: Schemas["ApprovalTerms"]; 
/** For `budgets`: the one without room. */
budget: (Schemas["ExceededBudget"]) | (null) };
  ConsideredPolicy: { id: string | null; generation: number | null; name: string; effect: "allow" | "deny" | "ask"; mode: "enforce" | "monitor"; result: "true" | "false" | "error" | "unknown"; error: string | null; decided: boolean; conditions: (Schemas["ConditionPart"])[] };
  ConditionPart: { 
/** As it is written. */
text: string; 
/** Where in the condition it begins, in UTF-16 units. */
start: number; end: number; depth: number; result: "true" | "false" | "error" | "unknown"; error: string | null };
  ApprovalTerms: { role: "owner" | "admin" | "operator" | "viewer"; persons: number; ttl_s: number; valid_s: number; uses: number; scope: "exact" | "tool"; edits: boolean } | null;
  Trace: { 
/** 32 hexadecimal digits. */
trace_id: string; root_name: string | null; 
/** Whether no span without a parent has arrived. */
incomplete: boolean; agent_id: string; conversation_id: string | null; status: "unset" | "ok" | "error"; span_count: number; 
/** Spans that have not ended. */
open_count: number; 
/** Whether one of its open spans is `lost`. */
lost: boolean; error_count: number; llm_count: number; tool_count: number; 
/** The task that its spans name. */
task_id: string | null; mission_id: string | null; 
/** The evaluation run that its spans name. */
eval_run_id: string | null; 
/** The item of that run. */
eval_item_key: string | null; 
/** Of the calls in it, each once. */
input_tokens: number; cache_read_tokens: number; output_tokens: number; 
/** US dollars with 12 decimal places. */
cost_usd: string; 
/** Calls whose cost nobody knows. */
unpriced_calls: number; models: (string)[]; started_at: string; 
/** Null while a span is open. */
ended_at: string | null; duration_ms: number | null; generation: number; first_seen_at: string };
  TracePagination: { limit: number; offset: number; 
/** Exact total, or null if a filter matches more than 10,000. */
total: number | null; has_more: boolean; 
/** Offset of the next page. Null on the last page, or if it exceeds the maximum offset. */
next_offset: number | null; 
/** `cursor` of the next page. */
next_cursor: string | null; 
/** Up to when a search came that stopped before it found a whole page. It goes on after `next_cursor`. */
searched_until: string | null };
  ListedSpan: { 
/** 16 hexadecimal digits. */
span_id: string; 
/** 16 hexadecimal digits. */
parent_span_id: string | null; name: string; 
/** As in OTLP, 0 to 5. */
kind: number; 
/** What kind of an agent's work it is; `other` if that is not known. */
op: string; 
/** Whether it is a span of the service itself. */
service: boolean; 
/** `lost`: it is open, but the agent that sent it has been offline for five minutes. */
status: "unset" | "ok" | "error" | "lost"; 
/** Microseconds since the trace started. */
start_us: number; 
/** Null while it is open. */
duration_us: number | null; model: string | null; 
/** Of the whole prompt and the answer. */
tokens: number | null; 
/** Null if nobody knows it. */
cost_usd: string | null; 
/** Whether tokens and cost are a sum over calls within it. */
is_sum: boolean };
  Span: { 
/** 16 hexadecimal digits. */
span_id: string; 
/** 16 hexadecimal digits. */
parent_span_id: string | null; name: string; 
/** As in OTLP, 0 to 5. */
kind: number; 
/** What kind of an agent's work it is; `other` if that is not known. */
op: string; 
/** `lost`: it is open, but the agent that sent it has been offline for five minutes. */
status: "unset" | "ok" | "error" | "lost"; status_message: string | null; started_at: string; 
/** Null while it is open. */
ended_at: string | null; duration_us: number | null; agent_id: string; 
/** The library that measured it. */
scope: string | null; provider: string | null; model: string | null; tool_name: string | null; 
/** Whose usage it says: that of one call, or a sum over the calls within it. */
usage_role: "none" | "aggregate" | "leaf"; input_tokens: number | null; cache_read_tokens: number | null; cache_write_tokens: number | null; output_tokens: number | null; reasoning_tokens: number | null; 
/** Whether parts of the tokens are more than their whole: then the sender counts in another way. */
usage_odd: boolean; 
/** US dollars with 12 decimal places. */
cost_usd: string | null; 
/** Where the cost is from; `none` if nobody knows it. */
cost_source: "sent" | "price" | "none" | null; price_id: string | null; attributes: Record<string, unknown>; events: ({ name: string; time: string | null; attributes: Record<string, unknown> })[]; links: ({ 
/** 32 hexadecimal digits. */
trace_id: string; 
/** 16 hexadecimal digits. */
span_id: string; attributes: Record<string, unknown> })[]; 
/** Attributes of the process. */
resource: Record<string, unknown>; 
/** How many parts were left out or truncated. */
dropped: number; 
/** How many texts were changed to hide something. */
redactions: number; 
/** With `content=true`. Null if none is stored, or not any more. */
content?: { input: Record<string, unknown> | null; output: Record<string, unknown> | null } | null };
  TraceScore: { id: string; 
/** 32 hexadecimal digits. */
trace_id: string; 
/** 16 hexadecimal digits. */
span_id: string | null; name: string; value: number | null; label: string | null; comment: string | null; annotator_kind: "human" | "code" | "llm"; given_by: Schemas["Actor"]; generation: number; created_at: string; updated_at: string };
  NewTraceScore: { 
/** Default: the whole trace. */
span_id?: string | null; 
/** What is judged. */
name: string; value?: number | null; 
/** Required without a value. */
label?: string | null; comment?: string | null; 
/** A program (the default), or a model that judges. */
annotator_kind?: "code" | "llm" };
  UsageSum: { 
/** When its period began. Null if it is of the whole time. */
start: string | null; agent_id: string | null; task_id: string | null; 
/** Empty if spans don't say it, and for all after the first 100 models of a day. */
model: string | null; calls: number; 
/** Of whole prompts, also what was cached. */
input_tokens: number; cache_read_tokens: number; cache_write_tokens: number; output_tokens: number; 
/** US dollars with 12 decimal places. */
cost_usd: string; 
/** Calls whose cost nobody knows, and which `cost_usd` does not have. */
unpriced_calls: number; 
/** What agents' metrics say of the same, which is charged to nobody. `cost_usd` is 0 unless they say it. */
metrics: { input_tokens: number; cache_read_tokens: number; cache_write_tokens: number; output_tokens: number; 
/** US dollars with 12 decimal places. */
cost_usd: string } };
  Event: { 
/** Opaque. */
cursor: string; 
/** Position in the workspace's event log. Numbers are missing where events are filtered out or not visible to you. */
seq: number; 
/** Unique. Use it to detect duplicates. */
id: string; type: string; subject_type: string; subject_id: string; agent_id: string | null; actor: Schemas["Actor"]; 
/** Any JSON value. */
data?: unknown; traceparent: string | null; occurred_at: string };
};

/** Every route of /api/v1 with JSON: what it takes and what it answers when it succeeds. */
export type Routes = {
  "GET /agent_tokens": { query: { limit?: number; offset?: number }; answer: { agent_tokens: (Schemas["AgentToken"])[]; count: number } };
  "POST /agent_tokens": { body?: Schemas["NewAgentToken"]; answer: Schemas["IssuedAgentToken"] };
  "DELETE /agent_tokens/{id}": { answer: null };
  "POST /socket_tokens": { body?: Schemas["NewSocketToken"]; answer: Schemas["IssuedSocketToken"] };
  "POST /tokens/introspect": { body?: Schemas["TokenInput"] | Schemas["TokenForm"]; answer: Schemas["TokenIntrospection"] };
  "POST /tokens/revoke": { body?: Schemas["TokenInput"] | Schemas["TokenForm"]; answer: Schemas["Done"] };
  "GET /whoami": { answer: Schemas["Whoami"] };
  "GET /agents": { query: { limit?: number; offset?: number; kind?: "software" | "robot"; label?: string }; answer: { agents: (Schemas["Agent"])[]; count: number; pagination: Schemas["Pagination"] } };
  "PUT /agents/self": { body: Schemas["AgentProfile"]; answer: { agent: Schemas["Agent"] } };
  "POST /agents/self/heartbeat": { body?: Schemas["NoFields"]; answer: { 
/** Whether the agent may work. `stopped` for all agents during an emergency stop. */
control_state: "active" | "paused" | "stopped"; 
/** Whether an emergency stop is active. */
emergency_stop: boolean; 
/** Number of commands that are not acknowledged yet. */
pending_commands: number; server_time: string } };
  "GET /agents/{id}": { answer: { agent: Schemas["Agent"] } };
  "POST /operator/agents/{id}/control": { body: Schemas["AgentControl"]; answer: { agent: Schemas["Agent"] } };
  "PUT /operator/agents/{id}/labels": { body: Schemas["AgentLabels"]; answer: { agent: Schemas["Agent"] } };
  "GET /operator/emergency_stop": { answer: { stop: Schemas["Stop"] } };
  "POST /operator/emergency_stop": { body: Schemas["EmergencyStop"]; answer: { workspace: Schemas["Workspace"]; stop: Schemas["Stop"] } };
  "POST /operator/emergency_stop/release": { body: Schemas["Because"]; answer: { workspace: Schemas["Workspace"] } };
  "GET /operator/stops": { answer: { stops: (Schemas["Stop"])[] } };
  "POST /operator/stops/{id}/resume": { body: Schemas["ResumeAgents"]; answer: { stop: Schemas["Stop"] } };
  "POST /operator/stops/{id}/release": { body: Schemas["ReleaseStop"]; answer: { stop: Schemas["Stop"] } };
  "GET /messages": { query: { limit?: number; offset?: number; context_id?: string; task_id?: string; kind?: "text" | "question" | "answer" | "notice"; recipient?: "me" }; answer: { messages: (Schemas["Message"])[]; count: number } };
  "POST /messages": { body: Schemas["NewMessage"]; answer: { message: Schemas["Message"] } };
  "GET /messages/{id}": { answer: { message: Schemas["Message"] } };
  "GET /tasks": { query: { limit?: number; offset?: number; status?: "submitted" | "working" | "input_required" | "auth_required" | "completed" | "failed" | "canceled" | "rejected"; queue?: string; assignee?: string; context_id?: string; updated_after?: string }; answer: { tasks: (Schemas["Task"])[]; count: number; pagination: Schemas["Pagination"] } };
  "POST /tasks": { body: Schemas["NewTask"]; answer: { task: Schemas["Task"] } };
  "GET /tasks/{id}": { query: { current_generation?: number; wait?: number }; answer: { task: Schemas["Task"] } };
  "POST /tasks/{id}/cancel": { body?: Schemas["TaskCancellation"]; answer: { task: Schemas["Task"] } };
  "POST /tasks/claim": { body: Schemas["TaskClaim"]; answer: { task: Schemas["Task"]; lease: Schemas["Lease"] } | null };
  "POST /tasks/{id}/heartbeat": { body: Schemas["TaskHeartbeat"]; answer: { 
/** Null while the task waits for an answer to a question. */
lease_expires_at: string | null; cancel_requested: boolean; control_state: "active" | "paused" | "stopped" } };
  "POST /tasks/{id}/complete": { body: Schemas["TaskCompletion"]; answer: { task: Schemas["Task"] } };
  "POST /tasks/{id}/fail": { body: Schemas["TaskFailure"]; answer: { task: Schemas["Task"] } };
  "POST /tasks/{id}/reject": { body: Schemas["TaskRejection"]; answer: { task: Schemas["Task"] } };
  "POST /tasks/{id}/release": { body: Schemas["TaskLease"]; answer: { task: Schemas["Task"] } };
  "POST /tasks/{id}/cancel_ack": { body: Schemas["TaskLease"]; answer: { task: Schemas["Task"] } };
  "GET /operator/eval_runs": { query: { limit?: number; offset?: number }; answer: { eval_runs: (Schemas["EvalRun"])[]; pagination: Schemas["Pagination"] } };
  "POST /eval_runs": { body: Schemas["NewEvalRun"]; answer: { eval_run: Schemas["EvalRun"] } };
  "GET /eval_runs/{id}": { answer: { eval_run: Schemas["EvalRun"] } };
  "POST /eval_runs/{id}/complete": { body?: Schemas["NoFields"]; answer: { eval_run: Schemas["EvalRun"] } };
  "POST /eval_runs/{id}/cancel": { body?: Schemas["EvalRunCancellation"]; answer: { eval_run: Schemas["EvalRun"] } };
  "POST /eval_runs/{id}/fail": { body: Schemas["EvalRunFailure"]; answer: { eval_run: Schemas["EvalRun"] } };
  "POST /operator/eval_runs/{id}/promote_baseline": { body?: Schemas["NoFields"]; answer: { eval_run: Schemas["EvalRun"] } };
  "POST /eval_runs/{id}/results": { body: Schemas["EvalResultBatch"]; answer: { 
/** Number of results in the batch. */
accepted: number; 
/** Number of results that replaced an earlier one. */
updated: number; result_counts: Schemas["EvalResultCounts"] } };
  "GET /eval_runs/{id}/results": { query: { status?: "passed" | "failed" | "errored" | "skipped"; limit?: number; offset?: number }; answer: { results: (Schemas["EvalResult"])[]; count: number; pagination: Schemas["Pagination"] } };
  "GET /eval_runs/{id}/comparison": { query: { baseline_run_id?: ("latest_baseline") | (string); limit?: number; offset?: number }; answer: { comparison: Schemas["EvalComparison"] } };
  "GET /agent_commands/next": { query: { wait?: number; limit?: number; priority?: "normal" | "urgent"; redeliver?: "true" | "false" }; answer: { agent_commands: (Schemas["AgentCommand"])[] } | null };
  "POST /agent_commands/{id}/ack": { body: Schemas["AgentCommandAcknowledgement"]; answer: { agent_command: Schemas["AgentCommand"] } };
  "POST /agent_commands/{id}/progress": { body: Schemas["AgentCommandProgress"]; answer: { agent_command: Schemas["AgentCommand"] } };
  "POST /agent_commands/{id}/result": { body: Schemas["AgentCommandResult"]; answer: { agent_command: Schemas["AgentCommand"] } };
  "GET /operator/agent_commands": { query: { limit?: number; status?: "awaiting_approval" | "queued" | "delivered" | "acknowledged" | "running" | "succeeded" | "failed" | "rejected" | "timed_out" | "expired" | "canceled"; agent_id?: string; batch_id?: string; before?: string }; answer: { agent_commands: (Schemas["AgentCommand"])[] } };
  "POST /operator/agent_commands": { body: Schemas["NewAgentCommand"]; answer: { batch_id: string; agent_commands: (Schemas["AgentCommand"])[]; has_more: boolean } };
  "POST /operator/agent_commands/{id}/cancel": { body: Schemas["AgentCommandCancellation"]; answer: { agent_command: Schemas["AgentCommand"] } };
  "GET /agent_commands/{id}": { answer: { agent_command: Schemas["AgentCommand"] } };
  "PUT /robots/self/state": { body: Schemas["RobotState"]; answer: { 
/** False if the report was ignored, as it is not newer than the known state. */
applied: boolean; 
/** Whether the agent may work. `stopped` for all agents during an emergency stop. */
control_state: "active" | "paused" | "stopped" } };
  "POST /robots/self/vda5050/state": { body: Schemas["VdaState"]; answer: { 
/** False if the report was ignored, as it is not newer than the known state. */
applied: boolean; 
/** Whether the agent may work. `stopped` for all agents during an emergency stop. */
control_state: "active" | "paused" | "stopped" } };
  "GET /operator/robots": { answer: { robots: (Schemas["Robot"])[] } };
  "GET /robots/{id}": { answer: { robot: Schemas["Robot"] } };
  "GET /operator/missions": { answer: { missions: (Schemas["Mission"])[] } };
  "POST /operator/missions": { body: Schemas["NewMission"]; answer: { mission: Schemas["WholeMission"] } };
  "GET /missions/{id}": { query: { current_generation?: number; wait?: number }; answer: { mission: Schemas["WholeMission"] } };
  "POST /operator/missions/{id}/pause": { body: Schemas["MissionSteering"]; answer: { mission: Schemas["WholeMission"]; agent_command: (Schemas["AgentCommand"]) | (null) } };
  "POST /operator/missions/{id}/resume": { body: Schemas["MissionSteering"]; answer: { mission: Schemas["WholeMission"]; agent_command: (Schemas["AgentCommand"]) | (null) } };
  "POST /operator/missions/{id}/cancel": { body: Schemas["MissionCancellation"]; answer: { mission: Schemas["WholeMission"]; agent_command: (Schemas["AgentCommand"]) | (null) } };
  "POST /operator/missions/{id}/retry_step": { body: Schemas["MissionStepSteering"]; answer: { mission: Schemas["WholeMission"]; agent_command: (Schemas["AgentCommand"]) | (null) } };
  "POST /operator/missions/{id}/skip_step": { body: Schemas["MissionStepSteering"]; answer: { mission: Schemas["WholeMission"]; agent_command: (Schemas["AgentCommand"]) | (null) } };
  "POST /missions/{id}/progress": { body: Schemas["MissionProgress"]; answer: { mission: Schemas["WholeMission"] } };
  "POST /gateway/check": { body: Schemas["GatewayCheckRequest"]; answer: { check: Schemas["GatewayCheck"] } };
  "POST /budget_reservations": { body: Schemas["NewBudgetReservation"]; answer: { reservation: Schemas["BudgetReservation"]; asks: boolean } };
  "GET /budget_reservations/{id}": { answer: { reservation: Schemas["BudgetReservation"] } };
  "POST /budget_reservations/{id}/settle": { body: Schemas["SettledAmounts"]; answer: { reservation: Schemas["BudgetReservation"] } };
  "POST /budget_reservations/{id}/release": { body?: Schemas["NoFields"]; answer: { reservation: Schemas["BudgetReservation"] } };
  "GET /operator/budgets": { query: { limit?: number; offset?: number }; answer: { budgets: (Schemas["Budget"])[]; pagination: Schemas["Pagination"] } };
  "POST /gateway/executions": { body: Schemas["NewExecution"]; answer: { execution: Schemas["WholeExecution"] } };
  "GET /gateway/executions": { query: { limit?: number; offset?: number; status?: "started" | "completed" | "failed" | "unknown" | "unreported" | "retried" }; answer: { executions: (Schemas["Execution"])[]; count: number; pagination: Schemas["Pagination"] } };
  "GET /gateway/executions/{id}": { answer: { execution: Schemas["WholeExecution"] } };
  "POST /gateway/executions/{id}/heartbeat": { body: Schemas["ExecutionHeartbeat"]; answer: { lease_expires_at: string; control_state: "active" | "paused" | "stopped" } };
  "POST /gateway/executions/{id}/complete": { body: Schemas["ExecutionCompletion"]; answer: { execution: Schemas["WholeExecution"] } };
  "POST /gateway/executions/{id}/fail": { body: Schemas["ExecutionFailure"]; answer: { execution: Schemas["WholeExecution"] } };
  "GET /operator/executions": { query: { limit?: number; offset?: number; status?: "started" | "completed" | "failed" | "unknown" | "unreported" | "retried"; agent_id?: string }; answer: { executions: (Schemas["Execution"])[]; count: number; pagination: Schemas["Pagination"] } };
  "GET /operator/executions/{id}": { answer: { execution: Schemas["WholeExecution"] } };
  "POST /operator/executions/{id}/resolve": { body: Schemas["ExecutionResolution"]; answer: { execution: Schemas["WholeExecution"]; retry: (Schemas["WholeExecution"]) | (null) } };
  "GET /gateway/entities": { query: { limit?: number; offset?: number; type?: string }; answer: { entities: (Schemas["GatewayEntity"])[]; count: number; pagination: Schemas["Pagination"] } };
  "GET /gateway/entities/{type}/{id}": { answer: { entity: Schemas["GatewayEntity"] } };
  "PUT /gateway/entities/{type}/{id}": { body: Schemas["NewGatewayEntity"]; answer: { entity: Schemas["GatewayEntity"] } };
  "DELETE /gateway/entities/{type}/{id}": { answer: null };
  "GET /gateway/approvals/{id}": { query: { wait?: number }; answer: { approval: Schemas["Approval"] } };
  "POST /gateway/approvals/{id}/cancel": { body?: Schemas["NoFields"]; answer: { approval: Schemas["Approval"] } };
  "GET /operator/approvals": { query: { limit?: number; offset?: number; status?: "pending" | "approved" | "denied" | "expired" | "cancelled"; agent_id?: string }; answer: { approvals: (Schemas["Approval"])[]; count: number; pagination: Schemas["Pagination"] } };
  "GET /operator/approvals/{id}": { answer: { approval: Schemas["Approval"] } };
  "POST /operator/approvals/{id}/approve": { body: Schemas["Approve"]; answer: { approval: Schemas["Approval"] } };
  "POST /operator/approvals/{id}/deny": { body: Schemas["Deny"]; answer: { approval: Schemas["Approval"] } };
  "POST /operator/approvals/{id}/revoke": { body: Schemas["Revoke"]; answer: { approval: Schemas["Approval"] } };
  "GET /operator/decisions": { query: { limit?: number; offset?: number; outcome?: "allow" | "deny" | "ask"; agent_id?: string; from?: string; to?: string }; answer: { decisions: (Schemas["Decision"])[]; pagination: Schemas["Pagination"] } };
  "GET /operator/decisions/{id}/explain": { answer: { explanation: Schemas["DecisionExplanation"] } };
  "GET /operator/traces": { query: { limit?: number; offset?: number; cursor?: string; agent_id?: string; status?: "unset" | "ok" | "error"; conversation_id?: string; task_id?: string; mission_id?: string; eval_run_id?: string; from?: string; to?: string; plumbing?: "true" | "false"; name?: string; attr?: string; tool?: string; model?: string; min_cost?: string; min_duration_ms?: number; lost?: "true" | "false" }; answer: { traces: (Schemas["Trace"])[]; pagination: Schemas["TracePagination"] } };
  "GET /traces/{trace_id}": { query: { after?: string }; answer: { trace: Schemas["Trace"]; spans: (Schemas["ListedSpan"])[]; 
/** `after` of the next page; null on the last one. */
next: string | null } };
  "GET /traces/{trace_id}/spans/{span_id}": { query: { content?: "true" | "false" }; answer: { span: Schemas["Span"] } };
  "GET /traces/{trace_id}/scores": { answer: { scores: (Schemas["TraceScore"])[] } };
  "POST /traces/{trace_id}/scores": { body: Schemas["NewTraceScore"]; answer: { score: Schemas["TraceScore"] } };
  "GET /operator/usage": { query: { by?: "workspace" | "agent" | "task" | "model" | "agent_model"; period?: "hour" | "day" | "month" | "all"; from?: string; to?: string; per_period?: "true" | "false"; limit?: number }; answer: { usage: (Schemas["UsageSum"])[]; has_more: boolean } };
  "GET /events": { query: { after?: string; types?: string; subject?: string; limit?: number; wait?: number }; answer: { events: (Schemas["Event"])[]; 
/** Opaque. */
next_after: string } };
};
