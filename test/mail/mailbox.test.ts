import { mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createLogger } from "../../src/config/logger.ts";
import type { Email } from "../../src/domain/emails/email.ts";
import { deleteOldMail, listMailbox, readMailboxEmail } from "../../src/mail/mailbox.ts";
import { createMailer } from "../../src/mail/mailer.ts";

const LINK = "https://ops.example.com/users/reset-password/abc";
const EMAIL: Email = { kind: "reset_password", workspace: "Acme", name: "Ada", link: LINK, minutes: 60 };

let dataDir: string;
let logged: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "mailbox-"));
  logged = [];
});

afterEach(() => rm(dataDir, { recursive: true }));

/** The mailer of a server without Mailgun's key. */
function mailer() {
  const log = createLogger("debug", { write: (line: string) => void logged.push(line) });
  return createMailer(readConfig({ DATA_DIR: dataDir }), log);
}

describe("the mailbox", () => {
  it("stores each email as a JSON file that only its owner can read", async () => {
    await mailer().send("ada@example.com", EMAIL);
    const [file = "", ...others] = await readdir(path.join(dataDir, "mailbox"));
    expect(others).toEqual([]);
    const whole = path.join(dataDir, "mailbox", file);
    const email: unknown = JSON.parse(await readFile(whole, "utf8"));
    expect(email).toEqual({
      to: "ada@example.com",
      subject: "Set a new password",
      text: expect.stringContaining(LINK),
      html: expect.stringContaining(LINK),
      headers: {},
    });
    expect((await stat(whole)).mode & 0o077).toBe(0);
  });

  it("logs the file and never the link", async () => {
    await mailer().send("ada@example.com", EMAIL);
    const [file = ""] = await readdir(path.join(dataDir, "mailbox"));
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain(file);
    expect(logged.join("")).not.toMatch(/reset-password|ada@example/);
  });

  it("lists newest first, and reads each by its id", async () => {
    const { send } = mailer();
    for (const to of ["1@example.com", "2@example.com", "3@example.com"]) await send(to, EMAIL);
    const entries = await listMailbox(dataDir);
    expect(entries.map(({ to }) => to)).toEqual(["3@example.com", "2@example.com", "1@example.com"]);
    expect(entries.every(({ at }) => Math.abs(at.getTime() - Date.now()) < 60_000)).toBe(true);
    const email = await readMailboxEmail(dataDir, entries[1]?.id ?? "");
    expect(email).toMatchObject({ to: "2@example.com", subject: "Set a new password" });
  });

  it("is empty at first, and ignores other files", async () => {
    expect(await listMailbox(dataDir)).toEqual([]);
    await mailer().send("ada@example.com", EMAIL);
    await writeFile(path.join(dataDir, "mailbox", "notes.txt"), "mine");
    await writeFile(path.join(dataDir, "mailbox", `${crypto.randomUUID()}.json.part`), "{");
    expect(await listMailbox(dataDir)).toHaveLength(1);
  });

  it("reads nothing outside of itself", async () => {
    await writeFile(path.join(dataDir, "secret.json"), "{}");
    for (const id of ["../secret", "..%2fsecret", "/etc/passwd", "", "x".repeat(36), crypto.randomUUID()]) {
      expect(await readMailboxEmail(dataDir, id)).toBeNull();
    }
  });

  it("stores all of many concurrent emails", async () => {
    const { send } = mailer();
    await Promise.all(Array.from({ length: 50 }, (_, n) => send(`${n}@example.com`, EMAIL)));
    const recipients = (await listMailbox(dataDir)).map(({ to }) => to);
    expect(new Set(recipients).size).toBe(50);
  });

  it("deletes emails after 30 days, including half-written ones, and nothing else", async () => {
    const day = 86_400_000;
    const now = new Date();
    await mailer().send("ada@example.com", EMAIL);
    const folder = path.join(dataDir, "mailbox");
    const [file = ""] = await readdir(folder);
    await writeFile(path.join(folder, `${file}.part`), "{");
    await writeFile(path.join(folder, "notes.txt"), "mine");
    expect(await deleteOldMail(dataDir, new Date(now.getTime() + 29 * day))).toBe(0);
    expect(await deleteOldMail(dataDir, new Date(now.getTime() + 31 * day))).toBe(2);
    expect(await readdir(folder)).toEqual(["notes.txt"]);
  });

  it("deletes nothing without a mailbox", async () => {
    expect(await deleteOldMail(dataDir)).toBe(0);
  });
});
