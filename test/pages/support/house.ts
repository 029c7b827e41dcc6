import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, vi } from "vitest";
import { type MailboxLetter, listMailbox, readMailboxLetter } from "../../../src/mail/mailbox.ts";
import type { Role } from "../../../src/domain/scopes.ts";
import { type Person, createPerson } from "../../support/people.ts";
import { type World, createWorld } from "../../support/world.ts";
import { type Visitor, openVisitor } from "./visitor.ts";

/** A server with a workspace, its people and its mailbox. */
export type House = World & {
  dataDir: string;
  person: (role?: Role) => Promise<Person>;
  /** Somebody new who is logged in. */
  enter: (role?: Role) => Promise<Visitor & { person: Person }>;
  /** Logs somebody in. */
  logIn: (person: Pick<Person, "email" | "password">, fields?: Record<string, string>) => Promise<Visitor>;
  /** Waits for the newest letter to an address whose subject has these words. */
  letterTo: (email: string, subject: RegExp) => Promise<MailboxLetter>;
  /** Takes the sudo of every session of a person, as 20 minutes do. */
  endSudo: (person: Person) => Promise<void>;
  close: () => Promise<void>;
};

/** Opens one. */
export async function openHouse(environment: Record<string, string> = {}): Promise<House> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "agent-ops-pages-"));
  const world = await createWorld({ DATA_DIR: dataDir, ...environment });
  const { server, workspaceId } = world;
  const person = (role: Role = "owner") => createPerson(server, workspaceId, { role });
  const logIn: House["logIn"] = async ({ email, password }, fields = {}) => {
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
      return { ...(await logIn(somebody)), person: somebody };
    },
    letterTo: (email, subject) =>
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

async function newest(dataDir: string, email: string, subject: RegExp): Promise<MailboxLetter> {
  const letters = await listMailbox(dataDir);
  const found = letters.find((letter) => letter.to === email && subject.test(letter.subject));
  const letter = found === undefined ? null : await readMailboxLetter(dataDir, found.id);
  if (letter === null) throw new Error(`there is no letter to ${email} yet`);
  return letter;
}

/** The path of the link in a letter that leads to a page. */
export function linkIn({ text }: Pick<MailboxLetter, "text">, page: string): string {
  const link = text.match(/https?:\/\/\S+/g)?.find((link) => link.includes(page));
  if (link === undefined) throw new Error(`the letter has no link to ${page}`);
  return new URL(link).pathname;
}
