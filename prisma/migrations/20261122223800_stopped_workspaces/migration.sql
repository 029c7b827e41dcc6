-- By hand: Prisma's schema language has no partial indexes. Found every second by the sweep of emergency stops.
CREATE INDEX "workspace_stopped_idx" ON "workspace" ("emergency_stop_at") WHERE "emergency_stop_at" IS NOT NULL;
