-- DropIndex
DROP INDEX "mail_outbox_next_attempt_at_idx";
