import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, vi } from "vitest";
import { type MailboxEmail, listMailbox, readMailboxEmail } from "../../../src/mail/mailbox.ts";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { type TestPerson, beginTestSession, createPerson } from "../../support/people.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { type TestVisitor, openVisitor } from "./test-visitor.ts";

/** A server with a workspace, users and a mailbox. */
export type PageWorld = TestWorld & {
  dataDir: string;
  person: (role?: Role) => Promise<TestPerson>;
  /** A new logged-in user. */
  enter: (role?: Role) => Promise<TestVisitor & { person: TestPerson }>;
  logIn: (
    person: Pick<TestPerson, "email" | "password">,
    fields?: Record<string, string>,
  ) => Promise<TestVisitor>;
  /** Waits for the newest email to an address whose subject contains this text. */
  findEmail: (email: string, subject: RegExp) => Promise<MailboxEmail>;
  /** Ends sudo in all sessions of a user, as after 20 minutes. */
  endSudo: (person: TestPerson) => Promise<void>;
  close: () => Promise<void>;
};

export async function openPageWorld(environment: Record<string, string> = {}): Promise<PageWorld> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "agent-ops-pages-"));
  const world = await createWorld({ DATA_DIR: dataDir, ...environment });
  const { server, workspaceId } = world;
  const person = (role: Role = "owner") => createPerson(server, workspaceId, { role });
  const logIn: PageWorld["logIn"] = async ({ email, password }, fields = {}) => {
    const visitor = openVisitor(server.url);
    const typed = { "user[email]": email, "user[password]": password, ...fields };
    const answer = await visitor.submit("/users/log-in", typed);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 303, text: "" });
    return visitor;
  };
  return {
    ...world,
    dataDir,
    person,
    logIn,
    enter: async (role) => {
      const somebody = await person(role);
      const visitor = openVisitor(server.url);
      visitor.cookies.set("_agent_ops_key", await beginTestSession(server, somebody));
      return { ...visitor, person: somebody };
    },
    findEmail: (email, subject) =>
      vi.waitFor(() => newest(dataDir, email, subject), { timeout: 10_000, interval: 50 }),
    endSudo: async ({ id }) => {
      await server.database.query(
        "UPDATE users_tokens SET authenticated_at = authenticated_at - interval '21 minutes' WHERE user_id = $1",
        [id],
      );
    },
    close: async () => {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function newest(dataDir: string, email: string, subject: RegExp): Promise<MailboxEmail> {
  const emails = await listMailbox(dataDir);
  const found = emails.find((one) => one.to === email && subject.test(one.subject));
  const message = found === undefined ? null : await readMailboxEmail(dataDir, found.id);
  if (message === null) throw new Error(`there is no email to ${email} yet`);
  return message;
}

/** The path of an email's link to a page. */
export function linkIn({ text }: Pick<MailboxEmail, "text">, page: string): string {
  const link = text.match(/https?:\/\/\S+/g)?.find((link) => link.includes(page));
  if (link === undefined) throw new Error(`the email has no link to ${page}`);
  return new URL(link).pathname;
}
