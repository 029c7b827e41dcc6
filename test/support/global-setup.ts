import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";
import { startTemporary } from "../../src/db/embedded-temporary.ts";
import { migrate } from "../../src/db/migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The maintenance database of the tests' server. */
    adminUrl: string;
    /** The template of every test database. */
    template: string;
  }
}

/**
 * Starts one PostgreSQL for the whole run, or uses DATABASE_URL's, and creates the migrated database that each test
 * file copies.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const log = pino({ level: "warn" });
  const server = await openServer(log);
  const template = `agent_ops_template_${process.pid}`;
  const admin = new pg.Client({ connectionString: server.adminUrl });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${template}`);
  await migrate(databaseUrl(server.adminUrl, template), log);
  project.provide("adminUrl", server.adminUrl);
  project.provide("template", template);
  return async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await admin.end();
    await server.stop();
  };
}

/** The URL of another database on the same server. */
function databaseUrl(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

async function openServer(log: pino.Logger): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  const external = process.env["DATABASE_URL"];
  if (external !== undefined && external !== "") return { adminUrl: external, stop: async () => {} };
  const embedded = await startTemporary(log);
  return { adminUrl: embedded.url, stop: () => embedded.stop() };
}
