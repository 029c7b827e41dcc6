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

/** Where links in letters lead. */
export const BASE_URL = "https://ops.example.com";

/** Services over a database of a test's own that send by a local Mailgun API, and only when they are told to. */
export type MailWorld = {
  api: MailgunApi;
  database: TestDatabase;
  services: OpenServices;
  /** The services of a second node on the same database. */
  second: OpenServices;
  /** Either node, as it is at a time. */
  at: (now: Date, node?: OpenServices) => OpenServices;
  /** What was logged, one line an entry. */
  logged: string[];
  createMember: (
    email?: string,
    fields?: { workspaceId?: string; confirmed?: boolean },
  ) => Promise<MailMember>;
  /** Asks for a reset link and has letters delivered. @returns how many left. */
  askForReset: (email: string) => Promise<number>;
  /** Asks for a reset link and has it delivered, to who has an account. @returns its token. */
  resetLinkFor: (email: string, services?: OpenServices) => Promise<string>;
  close: () => Promise<void>;
};

/** A person of a workspace, and the service's own context there. */
export type MailMember = { id: string; email: string; workspaceId: string; ctx: Ctx };

/** The password that members come with. */
export const OLD_PASSWORD = "a quiet harbour at dawn";

let made = 0;

/** An address that nobody has asked from yet. */
export function freshIp(): string {
  const n = made++;
  return `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
}

/** Opens one. */
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
      if (message === undefined) throw new Error("no letter came");
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
