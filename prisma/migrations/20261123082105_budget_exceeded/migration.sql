-- AlterEnum
ALTER TYPE "decision_reason" ADD VALUE 'budget_exceeded';
