/** For how many days a workspace keeps rows, by setting. Readers resume from the event log. */
export const RETENTION_DAYS = {
  eventRetentionDays: { column: "event_retention_days", of: "events", min: 1, max: 365 },
  messageRetentionDays: { column: "message_retention_days", of: "messages", min: 1, max: 3650 },
  taskRetentionDays: { column: "task_retention_days", of: "finished tasks", min: 1, max: 3650 },
  agentCommandRetentionDays: {
    column: "agent_command_retention_days",
    of: "finished commands",
    min: 1,
    max: 3650,
  },
  missionRetentionDays: { column: "mission_retention_days", of: "finished missions", min: 1, max: 3650 },
  evalRunRetentionDays: {
    column: "eval_run_retention_days",
    of: "finished evaluation runs",
    min: 1,
    max: 3650,
  },
  budgetRetentionDays: {
    column: "budget_retention_days",
    of: "sums of budgets and reservations",
    min: 1,
    max: 3650,
  },
  decisionRetentionDays: { column: "decision_retention_days", of: "decisions", min: 1, max: 365 },
  traceRetentionDays: { column: "trace_retention_days", of: "traces", min: 1, max: 365 },
  contentRetentionDays: {
    column: "content_retention_days",
    of: "content of traces",
    min: 1,
    max: 365,
  },
  approvalRetentionDays: {
    column: "approval_retention_days",
    of: "decided approvals and ended executions",
    min: 1,
    max: 3650,
  },
  mcpCallRetentionDays: {
    column: "mcp_call_retention_days",
    of: "ended calls of MCP servers",
    min: 1,
    max: 365,
  },
  webhookDeliveryRetentionDays: {
    column: "webhook_delivery_retention_days",
    of: "deliveries to webhooks",
    min: 1,
    max: 90,
  },
  auditRetentionDays: { column: "audit_retention_days", of: "audit log", min: 1, max: 3650 },
} as const;

export type RetentionSetting = keyof typeof RETENTION_DAYS;
