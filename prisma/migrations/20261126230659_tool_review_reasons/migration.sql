-- AlterEnum
ALTER TYPE "decision_reason" ADD VALUE 'tool_unreviewed';
ALTER TYPE "decision_reason" ADD VALUE 'tool_blocked';
