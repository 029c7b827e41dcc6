import { type OpenServices, openServices } from "../../src/services.ts";
import { deliverResetEmails } from "../../src/auth/emails/deliver-reset-emails.ts";
import { requestReset } from "../../src/auth/reset/request-reset.ts";
import { createUser } from "../../src/auth/users/create-user.ts";
import { createWorkspace } from "../../src/auth/workspaces/create-workspace.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import { type Ctx, openCtx, systemCaller } from "../../src/domain/kernel/context.ts";
import { type TestDatabase, createTestDatabase } from "./database.ts";
import { type MailgunApi, startMailgunApi } from "./mailgun-api.ts";

/** The base URL of links in emails. */
export const BASE_URL = "https://ops.example.com";

/** Services with their own database and a local Mailgun API, which send only on request. */
export type MailWorld = {
  api: MailgunApi;
  database: TestDatabase;
  services: OpenServices;
  /** The services of a second node on the same database. */
  second: OpenServices;
  /** Either node at a given time. */
  at: (now: Date, node?: OpenServices) => OpenServices;
  /** Log lines. */
  logged: string[];
  createMember: (
    email?: string,
    fields?: { workspaceId?: string; confirmed?: boolean },
  ) => Promise<MailMember>;
  /** Requests a reset link and delivers emails. @returns the number sent. */
  askForReset: (email: string) => Promise<number>;
  /** Requests a reset link for an account and delivers it. @returns its token. */
  resetLinkFor: (email: string, services?: OpenServices) => Promise<string>;
  close: () => Promise<void>;
};

/** A user of a workspace, and the system's context there. */
export type MailMember = { id: string; email: string; workspaceId: string; ctx: Ctx };

/** The members' password. */
export const OLD_PASSWORD = "a quiet harbour at dawn";

let made = 0;

/** An IP address without earlier requests. */
export function freshIp(): string {
  const n = made++;
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

export async function openMailWorld(): Promise<MailWorld> {
  const api = await startMailgunApi();
  const database = await createTestDatabase();
  const logged: string[] = [];
  const log = createLogger("debug", { write: (line: string) => void logged.push(line) });
  const config = readConfig({
    DATABASE_URL: database.url,
    PUBLIC_BASE_URL: BASE_URL,
    MAILGUN_API_KEY: "key-of-a-test",
    MAILGUN_DOMAIN: "mg.example.com",
    MAILGUN_BASE_URL: api.url,
  });
  const services = await openServices(config, log);
  const second = await openServices(config, log);
  return {
    ...{ api, database, services, second, logged },
    at: (now, node = services) => ({ ...node, now }),
    createMember: async (email = `member-${process.pid}-${made++}@example.com`, fields = {}) => {
      const { workspaceId = (await createWorkspace(services, { name: "Acme" })).workspaceId } = fields;
      const ctx = openCtx(services, systemCaller(workspaceId, "test"));
      const { confirmed = true } = fields;
      const person = { email, name: "Ada", role: "admin", password: OLD_PASSWORD, confirmed } as const;
      return { id: await createUser(ctx, services.passwords, person), email, workspaceId, ctx };
    },
    askForReset: async (asked) => {
      await requestReset(services, { email: asked, ip: freshIp() });
      return deliverResetEmails(services);
    },
    resetLinkFor: async (asked, node = services) => {
      const before = api.emails.length;
      await requestReset(node, { email: asked, ip: freshIp() });
      await deliverResetEmails(node);
      const message = api.emails.slice(before).find(({ to }) => to.toLowerCase() === asked.toLowerCase());
      if (message === undefined) throw new Error("no email arrived");
      return message.token;
    },
    close: async () => {
      await services.close();
      await second.close();
      await api.close();
      await database.drop();
    },
  };
}
