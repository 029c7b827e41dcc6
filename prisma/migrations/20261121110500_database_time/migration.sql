-- When a row was made PostgreSQL tells, whatever the clock of the node that makes it: Prisma would fill in its own
-- now(), and a task that was made by a node ahead of the others could not be claimed until then. Cut, not rounded: it
-- is never in the future.
ALTER TABLE "agent" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "agent_command" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "agent_token" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "api_key" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "eval_result" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "eval_run" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "group" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "group_member" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "idempotency_key" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "mail_outbox" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "next_attempt_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "message" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "mission" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "reset_request" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "next_attempt_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "revocation" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "robot" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "scim_token" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "socket_token" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "task" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "user" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "users_tokens" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now());
ALTER TABLE "workspace" ALTER COLUMN "created_at" SET DEFAULT date_trunc('milliseconds'::text, now()),
ALTER COLUMN "updated_at" SET DEFAULT date_trunc('milliseconds'::text, now());
