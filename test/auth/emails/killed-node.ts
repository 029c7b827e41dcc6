import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import type { MailWorld } from "../../support/mail-world.ts";

/** Lets another node send emails to a provider that doesn't respond, and kills it while it waits. */
export async function killWhileSending({ api, database }: MailWorld, emails: number): Promise<void> {
  api.answer("silent");
  const program = fileURLToPath(new URL("hang.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", program], {
    env: {
      DATABASE_URL: database.url,
      MAILGUN_API_KEY: "key-of-a-test",
      MAILGUN_DOMAIN: "mg.example.com",
      MAILGUN_BASE_URL: api.url,
    },
    stdio: "inherit",
  });
  const exited = once(child, "exit");
  await api.requested(emails);
  await vi.waitFor(async () => expect(await dueIn(database)).toBe(0), { timeout: 20_000, interval: 50 });
  child.kill("SIGKILL");
  await exited;
  api.answer("taken");
}

/** Emails that no node holds. */
async function dueIn(database: MailWorld["database"]): Promise<number> {
  const [row] = await database.query<{ due: number }>(
    `SELECT (SELECT count(*) FROM reset_request WHERE next_attempt_at <= now())::int
       + (SELECT count(*) FROM mail_outbox WHERE next_attempt_at <= now())::int AS due`,
  );
  return row?.due ?? 0;
}
