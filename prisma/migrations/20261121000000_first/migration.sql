-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "role" AS ENUM ('owner', 'admin', 'operator', 'viewer');

-- CreateEnum
CREATE TYPE "user_token_context" AS ENUM ('session', 'reset_password', 'email_change', 'invitation');

-- CreateEnum
CREATE TYPE "agent_kind" AS ENUM ('software', 'robot');

-- CreateEnum
CREATE TYPE "control_state" AS ENUM ('active', 'paused', 'stopped');

-- CreateEnum
CREATE TYPE "revocation_kind" AS ENUM ('session', 'user', 'agent', 'api_key', 'agent_token', 'scim_token', 'workspace');

-- CreateEnum
CREATE TYPE "message_role" AS ENUM ('user', 'agent');

-- CreateEnum
CREATE TYPE "message_kind" AS ENUM ('text', 'question', 'answer', 'notice');

-- CreateEnum
CREATE TYPE "task_status" AS ENUM ('submitted', 'working', 'input_required', 'completed', 'failed', 'canceled', 'rejected');

-- CreateEnum
CREATE TYPE "eval_run_status" AS ENUM ('queued', 'running', 'completed', 'failed', 'canceled');

-- CreateEnum
CREATE TYPE "eval_verdict" AS ENUM ('passed', 'failed', 'none');

-- CreateEnum
CREATE TYPE "eval_result_status" AS ENUM ('passed', 'failed', 'errored', 'skipped');

-- CreateEnum
CREATE TYPE "agent_command_status" AS ENUM ('queued', 'delivered', 'acknowledged', 'running', 'succeeded', 'failed', 'rejected', 'timed_out', 'expired', 'canceled');

-- CreateEnum
CREATE TYPE "command_priority" AS ENUM ('normal', 'urgent');

-- CreateEnum
CREATE TYPE "robot_status" AS ENUM ('offline', 'error', 'charging', 'paused', 'executing', 'idle');

-- CreateEnum
CREATE TYPE "operating_mode" AS ENUM ('automatic', 'semiautomatic', 'intervened', 'manual', 'startup', 'service', 'teach_in');

-- CreateEnum
CREATE TYPE "emergency_stop" AS ENUM ('none', 'manual', 'remote');

-- CreateEnum
CREATE TYPE "mission_kind" AS ENUM ('transport', 'inspection', 'patrol', 'dock', 'custom');

-- CreateEnum
CREATE TYPE "mission_status" AS ENUM ('pending', 'assigned', 'running', 'paused', 'completed', 'failed', 'canceled', 'expired');

-- CreateEnum
CREATE TYPE "mission_step_type" AS ENUM ('move', 'action', 'wait', 'custom');

-- CreateEnum
CREATE TYPE "mission_step_status" AS ENUM ('waiting', 'initializing', 'running', 'paused', 'retriable', 'finished', 'failed', 'skipped');

-- CreateTable
CREATE TABLE "workspace" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "event_retention_days" INTEGER NOT NULL DEFAULT 7,
    "mission_retention_days" INTEGER NOT NULL DEFAULT 90,
    "scim_managed" BOOLEAN NOT NULL DEFAULT false,
    "emergency_stop_at" TIMESTAMPTZ(3),
    "emergency_stop_by" JSONB,
    "suspended_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT,
    "user_name" TEXT,
    "name" TEXT,
    "role" "role" NOT NULL,
    "hashed_password" TEXT,
    "auth_epoch" INTEGER NOT NULL DEFAULT 0,
    "confirmed_at" TIMESTAMPTZ(3),
    "suspended_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "users_tokens" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "context" "user_token_context" NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "sent_to" TEXT,
    "auth_epoch" INTEGER NOT NULL,
    "family_id" UUID,
    "remembered" BOOLEAN NOT NULL DEFAULT false,
    "authenticated_at" TIMESTAMPTZ(3),
    "first_used_at" TIMESTAMPTZ(3),
    "superseded_at" TIMESTAMPTZ(3),
    "successor_id" UUID,
    "ip" TEXT,
    "user_agent" TEXT,
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "users_tokens_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "agent" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" "agent_kind" NOT NULL DEFAULT 'software',
    "version" TEXT,
    "description" TEXT,
    "capabilities" JSONB NOT NULL DEFAULT '[]',
    "labels" JSONB NOT NULL DEFAULT '{}',
    "control_state" "control_state" NOT NULL DEFAULT 'active',
    "last_seen_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "lineage_id" UUID NOT NULL,
    "primary" BOOLEAN NOT NULL DEFAULT false,
    "name" TEXT NOT NULL,
    "public_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "scopes" TEXT[],
    "ip_allowlist" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "created_by" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_reason" TEXT,
    "rotated_to_id" UUID,
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_ip" TEXT,

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "agent_token" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "name" TEXT,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_token_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "socket_token" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "agent_token_id" UUID,
    "digest" BYTEA NOT NULL,
    "scopes" TEXT[],
    "single_use" BOOLEAN NOT NULL DEFAULT false,
    "used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "socket_token_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "scim_token" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "digest" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "label" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "scim_token_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "revocation_head" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "seq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "revocation_head_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revocation" (
    "seq" BIGINT NOT NULL,
    "workspace_id" UUID NOT NULL,
    "kind" "revocation_kind" NOT NULL,
    "subject_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "revocation_pkey" PRIMARY KEY ("seq")
);

-- CreateTable
CREATE TABLE "message" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "context_id" UUID NOT NULL,
    "task_id" UUID,
    "mission_id" UUID,
    "role" "message_role" NOT NULL,
    "sender" JSONB NOT NULL,
    "recipient_agent_id" UUID,
    "kind" "message_kind" NOT NULL DEFAULT 'text',
    "parts" JSONB NOT NULL,
    "reply_to_id" UUID,
    "expects_reply" BOOLEAN NOT NULL DEFAULT false,
    "answered_by_id" UUID,
    "reference_task_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "trace_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "task" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "context_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "queue" TEXT NOT NULL DEFAULT 'default',
    "assignee_agent_id" UUID,
    "input" JSONB NOT NULL DEFAULT '[]',
    "status" "task_status" NOT NULL DEFAULT 'submitted',
    "status_message" TEXT,
    "priority" SMALLINT NOT NULL DEFAULT 5,
    "progress" DOUBLE PRECISION,
    "output" JSONB,
    "artifacts" JSONB NOT NULL DEFAULT '[]',
    "error" JSONB,
    "claimed_by_agent_id" UUID,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "max_attempts" INTEGER NOT NULL DEFAULT 3,
    "lease_token_digest" BYTEA,
    "lease_expires_at" TIMESTAMPTZ(3),
    "run_after" TIMESTAMPTZ(3),
    "deadline_at" TIMESTAMPTZ(3),
    "input_deadline_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "parent_task_id" UUID,
    "mission_id" UUID,
    "trace_id" TEXT,
    "labels" JSONB NOT NULL DEFAULT '{}',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "task_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "eval_run" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "suite" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "agent_id" UUID,
    "agent_version" TEXT,
    "dataset" JSONB,
    "status" "eval_run_status" NOT NULL DEFAULT 'queued',
    "result_counts" JSONB NOT NULL DEFAULT '{"total":0,"passed":0,"failed":0,"errored":0}',
    "score_summaries" JSONB NOT NULL DEFAULT '[]',
    "baseline_run_id" UUID,
    "gate" JSONB,
    "verdict" "eval_verdict" NOT NULL DEFAULT 'none',
    "verdict_reasons" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "baseline" BOOLEAN NOT NULL DEFAULT false,
    "source" JSONB,
    "cost_usd" DOUBLE PRECISION,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "eval_run_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "eval_result" (
    "workspace_id" UUID NOT NULL,
    "eval_run_id" UUID NOT NULL,
    "item_key" TEXT NOT NULL,
    "id" UUID NOT NULL,
    "input" JSONB NOT NULL,
    "expected" JSONB,
    "output" JSONB,
    "status" "eval_result_status" NOT NULL,
    "scores" JSONB NOT NULL DEFAULT '[]',
    "latency_ms" INTEGER,
    "cost_usd" DOUBLE PRECISION,
    "trace_id" TEXT,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "eval_result_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "agent_command" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "params" JSONB NOT NULL DEFAULT '{}',
    "status" "agent_command_status" NOT NULL DEFAULT 'queued',
    "priority" "command_priority" NOT NULL DEFAULT 'normal',
    "not_before" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ack_timeout_seconds" INTEGER NOT NULL DEFAULT 30,
    "run_timeout_seconds" INTEGER NOT NULL DEFAULT 600,
    "delivery_attempts" INTEGER NOT NULL DEFAULT 0,
    "delivered_at" TIMESTAMPTZ(3),
    "acknowledged_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "progress" DOUBLE PRECISION,
    "status_detail" TEXT,
    "result" JSONB,
    "error" JSONB,
    "late" BOOLEAN NOT NULL DEFAULT false,
    "issued_by" JSONB NOT NULL,
    "batch_id" UUID,
    "task_id" UUID,
    "mission_id" UUID,
    "traceparent" TEXT,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_command_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "robot" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "manufacturer" TEXT,
    "model" TEXT,
    "serial_number" TEXT,
    "fleet" TEXT,
    "operating_mode" "operating_mode" NOT NULL DEFAULT 'startup',
    "status" "robot_status" NOT NULL DEFAULT 'offline',
    "battery_percent" DOUBLE PRECISION,
    "charging" BOOLEAN NOT NULL DEFAULT false,
    "position" JSONB,
    "velocity" JSONB,
    "driving" BOOLEAN NOT NULL DEFAULT false,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "emergency_stop" "emergency_stop" NOT NULL DEFAULT 'none',
    "field_violation" BOOLEAN NOT NULL DEFAULT false,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "loads" JSONB NOT NULL DEFAULT '[]',
    "accepts_missions" BOOLEAN NOT NULL DEFAULT true,
    "current_mission_id" UUID,
    "state_seq" BIGINT NOT NULL DEFAULT 0,
    "state_at" TIMESTAMPTZ(3),
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "robot_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mission" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "kind" "mission_kind" NOT NULL,
    "robot_id" UUID,
    "selector" JSONB,
    "min_battery_percent" DOUBLE PRECISION,
    "priority" SMALLINT NOT NULL DEFAULT 5,
    "status" "mission_status" NOT NULL DEFAULT 'pending',
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "estimated_duration_seconds" INTEGER,
    "deadline_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "error" JSONB,
    "task_id" UUID,
    "context_id" UUID,
    "trace_id" TEXT,
    "created_by" JSONB NOT NULL,
    "generation" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "mission_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "mission_step" (
    "workspace_id" UUID NOT NULL,
    "mission_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "type" "mission_step_type" NOT NULL,
    "params" JSONB NOT NULL DEFAULT '{}',
    "status" "mission_step_status" NOT NULL DEFAULT 'waiting',
    "result" JSONB,
    "error" JSONB,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "mission_step_pkey" PRIMARY KEY ("workspace_id","mission_id","seq")
);

-- CreateTable
CREATE TABLE "workspace_head" (
    "workspace_id" UUID NOT NULL,
    "epoch" UUID NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "min_seq" BIGINT NOT NULL DEFAULT 1,
    "audit_seq" BIGINT NOT NULL DEFAULT 0,
    "audit_hash" BYTEA NOT NULL,

    CONSTRAINT "workspace_head_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "collection_total" (
    "workspace_id" UUID NOT NULL,
    "collection" TEXT NOT NULL,
    "facet" TEXT NOT NULL,
    "total" INTEGER NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "collection_total_pkey" PRIMARY KEY ("workspace_id","collection","facet")
);

-- CreateTable
CREATE TABLE "event" (
    "workspace_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "agent_id" UUID,
    "actor" JSONB NOT NULL,
    "data" JSONB NOT NULL,
    "traceparent" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("workspace_id","seq")
);

-- CreateTable
CREATE TABLE "audit_event" (
    "workspace_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "id" UUID NOT NULL,
    "actor" JSONB NOT NULL,
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,
    "request_id" TEXT,
    "changes" JSONB NOT NULL DEFAULT '{}',
    "prev_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "audit_event_pkey" PRIMARY KEY ("workspace_id","seq")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "workspace_id" UUID NOT NULL,
    "credential_id" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" BYTEA NOT NULL,
    "subject_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("workspace_id","credential_id","key")
);

-- CreateIndex
CREATE UNIQUE INDEX "workspace_slug_key" ON "workspace"("slug");

-- CreateIndex
CREATE INDEX "users_tokens_workspace_id_user_id_context_idx" ON "users_tokens"("workspace_id", "user_id", "context");

-- CreateIndex
CREATE INDEX "users_tokens_family_id_idx" ON "users_tokens"("family_id");

-- CreateIndex
CREATE INDEX "users_tokens_expires_at_idx" ON "users_tokens"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_tokens_context_token_digest_key" ON "users_tokens"("context", "token_digest");

-- CreateIndex
CREATE INDEX "agent_workspace_id_created_at_id_idx" ON "agent"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "agent_workspace_id_handle_key" ON "agent"("workspace_id", "handle");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_public_id_key" ON "api_key"("public_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_digest_key" ON "api_key"("digest");

-- CreateIndex
CREATE INDEX "api_key_workspace_id_agent_id_idx" ON "api_key"("workspace_id", "agent_id");

-- CreateIndex
CREATE INDEX "api_key_workspace_id_rotated_to_id_idx" ON "api_key"("workspace_id", "rotated_to_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_token_digest_key" ON "agent_token"("digest");

-- CreateIndex
CREATE INDEX "agent_token_workspace_id_api_key_id_created_at_id_idx" ON "agent_token"("workspace_id", "api_key_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_token_workspace_id_agent_id_idx" ON "agent_token"("workspace_id", "agent_id");

-- CreateIndex
CREATE INDEX "agent_token_expires_at_idx" ON "agent_token"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "socket_token_digest_key" ON "socket_token"("digest");

-- CreateIndex
CREATE INDEX "socket_token_workspace_id_api_key_id_idx" ON "socket_token"("workspace_id", "api_key_id");

-- CreateIndex
CREATE INDEX "socket_token_workspace_id_agent_token_id_idx" ON "socket_token"("workspace_id", "agent_token_id");

-- CreateIndex
CREATE INDEX "socket_token_workspace_id_agent_id_idx" ON "socket_token"("workspace_id", "agent_id");

-- CreateIndex
CREATE INDEX "socket_token_expires_at_idx" ON "socket_token"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "scim_token_digest_key" ON "scim_token"("digest");

-- CreateIndex
CREATE INDEX "revocation_created_at_idx" ON "revocation"("created_at");

-- CreateIndex
CREATE INDEX "message_workspace_id_created_at_id_idx" ON "message"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "message_workspace_id_context_id_created_at_id_idx" ON "message"("workspace_id", "context_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "message_workspace_id_task_id_idx" ON "message"("workspace_id", "task_id");

-- CreateIndex
CREATE INDEX "message_workspace_id_mission_id_idx" ON "message"("workspace_id", "mission_id");

-- CreateIndex
CREATE INDEX "message_workspace_id_recipient_agent_id_idx" ON "message"("workspace_id", "recipient_agent_id");

-- CreateIndex
CREATE INDEX "message_workspace_id_reply_to_id_idx" ON "message"("workspace_id", "reply_to_id");

-- CreateIndex
CREATE INDEX "task_workspace_id_created_at_id_idx" ON "task"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "task_workspace_id_status_created_at_id_idx" ON "task"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "task_workspace_id_assignee_agent_id_idx" ON "task"("workspace_id", "assignee_agent_id");

-- CreateIndex
CREATE INDEX "task_workspace_id_claimed_by_agent_id_idx" ON "task"("workspace_id", "claimed_by_agent_id");

-- CreateIndex
CREATE INDEX "task_workspace_id_parent_task_id_idx" ON "task"("workspace_id", "parent_task_id");

-- CreateIndex
CREATE INDEX "task_workspace_id_mission_id_idx" ON "task"("workspace_id", "mission_id");

-- CreateIndex
CREATE INDEX "eval_run_workspace_id_created_at_id_idx" ON "eval_run"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "eval_run_workspace_id_status_created_at_id_idx" ON "eval_run"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "eval_run_workspace_id_agent_id_idx" ON "eval_run"("workspace_id", "agent_id");

-- CreateIndex
CREATE INDEX "eval_run_workspace_id_baseline_run_id_idx" ON "eval_run"("workspace_id", "baseline_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "eval_result_workspace_id_eval_run_id_item_key_key" ON "eval_result"("workspace_id", "eval_run_id", "item_key");

-- CreateIndex
CREATE INDEX "agent_command_workspace_id_created_at_id_idx" ON "agent_command"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_command_workspace_id_status_created_at_id_idx" ON "agent_command"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_command_workspace_id_task_id_idx" ON "agent_command"("workspace_id", "task_id");

-- CreateIndex
CREATE INDEX "agent_command_workspace_id_mission_id_idx" ON "agent_command"("workspace_id", "mission_id");

-- CreateIndex
CREATE UNIQUE INDEX "agent_command_workspace_id_agent_id_seq_key" ON "agent_command"("workspace_id", "agent_id", "seq");

-- CreateIndex
CREATE INDEX "robot_workspace_id_created_at_id_idx" ON "robot"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "robot_workspace_id_current_mission_id_idx" ON "robot"("workspace_id", "current_mission_id");

-- CreateIndex
CREATE INDEX "mission_workspace_id_created_at_id_idx" ON "mission"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mission_workspace_id_status_created_at_id_idx" ON "mission"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "mission_workspace_id_robot_id_idx" ON "mission"("workspace_id", "robot_id");

-- CreateIndex
CREATE UNIQUE INDEX "mission_step_workspace_id_mission_id_key_key" ON "mission_step"("workspace_id", "mission_id", "key");

-- CreateIndex
CREATE INDEX "event_workspace_id_occurred_at_idx" ON "event"("workspace_id", "occurred_at");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- AddForeignKey
ALTER TABLE "user" ADD CONSTRAINT "user_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users_tokens" ADD CONSTRAINT "users_tokens_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "user"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent" ADD CONSTRAINT "agent_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_workspace_id_rotated_to_id_fkey" FOREIGN KEY ("workspace_id", "rotated_to_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_token" ADD CONSTRAINT "agent_token_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_token" ADD CONSTRAINT "agent_token_workspace_id_api_key_id_fkey" FOREIGN KEY ("workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "socket_token" ADD CONSTRAINT "socket_token_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "socket_token" ADD CONSTRAINT "socket_token_workspace_id_api_key_id_fkey" FOREIGN KEY ("workspace_id", "api_key_id") REFERENCES "api_key"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "socket_token" ADD CONSTRAINT "socket_token_workspace_id_agent_token_id_fkey" FOREIGN KEY ("workspace_id", "agent_token_id") REFERENCES "agent_token"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "scim_token" ADD CONSTRAINT "scim_token_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_workspace_id_mission_id_fkey" FOREIGN KEY ("workspace_id", "mission_id") REFERENCES "mission"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_workspace_id_recipient_agent_id_fkey" FOREIGN KEY ("workspace_id", "recipient_agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message" ADD CONSTRAINT "message_workspace_id_reply_to_id_fkey" FOREIGN KEY ("workspace_id", "reply_to_id") REFERENCES "message"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_workspace_id_assignee_agent_id_fkey" FOREIGN KEY ("workspace_id", "assignee_agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_workspace_id_claimed_by_agent_id_fkey" FOREIGN KEY ("workspace_id", "claimed_by_agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_workspace_id_parent_task_id_fkey" FOREIGN KEY ("workspace_id", "parent_task_id") REFERENCES "task"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task" ADD CONSTRAINT "task_workspace_id_mission_id_fkey" FOREIGN KEY ("workspace_id", "mission_id") REFERENCES "mission"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "eval_run" ADD CONSTRAINT "eval_run_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "eval_run" ADD CONSTRAINT "eval_run_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "eval_run" ADD CONSTRAINT "eval_run_workspace_id_baseline_run_id_fkey" FOREIGN KEY ("workspace_id", "baseline_run_id") REFERENCES "eval_run"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "eval_result" ADD CONSTRAINT "eval_result_workspace_id_eval_run_id_fkey" FOREIGN KEY ("workspace_id", "eval_run_id") REFERENCES "eval_run"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_command" ADD CONSTRAINT "agent_command_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_command" ADD CONSTRAINT "agent_command_workspace_id_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_command" ADD CONSTRAINT "agent_command_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "task"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "agent_command" ADD CONSTRAINT "agent_command_workspace_id_mission_id_fkey" FOREIGN KEY ("workspace_id", "mission_id") REFERENCES "mission"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "robot" ADD CONSTRAINT "robot_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "agent"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "robot" ADD CONSTRAINT "robot_workspace_id_current_mission_id_fkey" FOREIGN KEY ("workspace_id", "current_mission_id") REFERENCES "mission"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mission" ADD CONSTRAINT "mission_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mission" ADD CONSTRAINT "mission_workspace_id_robot_id_fkey" FOREIGN KEY ("workspace_id", "robot_id") REFERENCES "robot"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mission_step" ADD CONSTRAINT "mission_step_workspace_id_mission_id_fkey" FOREIGN KEY ("workspace_id", "mission_id") REFERENCES "mission"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workspace_head" ADD CONSTRAINT "workspace_head_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_total" ADD CONSTRAINT "collection_total_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "event" ADD CONSTRAINT "event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

-- Addresses and names are unique in a workspace whatever their case; the log-in form knows no workspace.
CREATE UNIQUE INDEX "user_workspace_id_lower_email_key" ON "user" ("workspace_id", lower("email"));
CREATE UNIQUE INDEX "user_workspace_id_lower_user_name_key" ON "user" ("workspace_id", lower("user_name"));
CREATE INDEX "user_lower_email_idx" ON "user" (lower("email"));

-- A mint counts the living tokens of its key.
CREATE INDEX "agent_token_living_idx" ON "agent_token" ("workspace_id", "api_key_id", "expires_at") WHERE "revoked_at" IS NULL;

-- A workspace has one primary key that lives.
CREATE UNIQUE INDEX "api_key_workspace_id_primary_key" ON "api_key" ("workspace_id") WHERE "primary" AND "revoked_at" IS NULL;

-- A digest is a SHA-256.
ALTER TABLE "users_tokens" ADD CONSTRAINT "users_tokens_token_digest_check" CHECK (octet_length("token_digest") = 32);
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_digest_check" CHECK (octet_length("digest") = 32);
ALTER TABLE "agent_token" ADD CONSTRAINT "agent_token_digest_check" CHECK (octet_length("digest") = 32);
ALTER TABLE "socket_token" ADD CONSTRAINT "socket_token_digest_check" CHECK (octet_length("digest") = 32);
ALTER TABLE "scim_token" ADD CONSTRAINT "scim_token_digest_check" CHECK (octet_length("digest") = 32);
ALTER TABLE "task" ADD CONSTRAINT "task_lease_token_digest_check" CHECK (octet_length("lease_token_digest") = 32);
ALTER TABLE "workspace_head" ADD CONSTRAINT "workspace_head_audit_hash_check" CHECK (octet_length("audit_hash") = 32);
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_hash_check" CHECK (octet_length("hash") = 32 AND octet_length("prev_hash") = 32);
ALTER TABLE "idempotency_key" ADD CONSTRAINT "idempotency_key_request_hash_check" CHECK (octet_length("request_hash") = 32);

-- Ranges that hold whoever writes.
ALTER TABLE "task" ADD CONSTRAINT "task_priority_check" CHECK ("priority" BETWEEN 0 AND 9);
ALTER TABLE "mission" ADD CONSTRAINT "mission_priority_check" CHECK ("priority" BETWEEN 0 AND 9);

-- These rows change with every write: room on their page keeps the updates in place.
ALTER TABLE "workspace_head" SET (fillfactor = 50);
ALTER TABLE "collection_total" SET (fillfactor = 50);

-- One row orders the revocations of the whole installation.
INSERT INTO "revocation_head" ("id", "seq") VALUES (1, 0);
ALTER TABLE "revocation_head" ADD CONSTRAINT "revocation_head_id_check" CHECK ("id" = 1);
