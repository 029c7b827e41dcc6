import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { Schemas } from "../../src/client/api-types.ts";
import { type JournalEntry, openJournal } from "../../src/client/journal.ts";

const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-journal-"));
let file: string;

beforeEach(() => {
  file = path.join(folder, crypto.randomUUID(), "journal");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function createStarted(id: string): JournalEntry {
  // The journal reads only the command's id.
  return { state: "started", command: { id } as Schemas["AgentCommand"] };
}

function createReported(id: string): JournalEntry {
  return { state: "reported", id, outcome: { status: "succeeded", result: id } };
}

describe("openJournal", () => {
  it("remembers the state of every command", async () => {
    const journal = await openJournal(file);
    const done = {
      ...createStarted("b"),
      state: "done",
      outcome: { status: "succeeded", result: 1 },
    } as JournalEntry;
    await journal.write(createStarted("a"));
    await journal.write(createStarted("b"));
    await journal.write(done);
    await journal.write(createReported("c"));
    await journal.close();
    const again = await openJournal(file);
    expect(again.open()).toEqual([createStarted("a"), done]);
    expect([again.read("c"), again.read("d")]).toEqual([createReported("c"), undefined]);
    await again.close();
  });

  it("ignores an incomplete line after a crash", async () => {
    const journal = await openJournal(file);
    await journal.write(createStarted("a"));
    await journal.close();
    appendFileSync(file, JSON.stringify(createStarted("b")).slice(0, 20));
    const again = await openJournal(file);
    expect(again.open()).toEqual([createStarted("a")]);
    await again.write(createStarted("c"));
    await again.close();
    const last = await openJournal(file);
    expect(last.open()).toEqual([createStarted("a"), createStarted("c")]);
    await last.close();
  });

  it("can be read after a full disk stored half a line", async () => {
    const child = `
      import { openJournal } from ${JSON.stringify(new URL("../../src/client/journal.ts", import.meta.url).href)};
      const journal = await openJournal(process.argv[1]);
      const started = (id, params) => journal.write({ state: "started", command: { id, params } });
      await started("a");
      await started("b", "x".repeat(9000)).then(() => process.exit(1), () => {});
      if (journal.read("b") !== undefined) process.exit(2);
      await started("c");
      await started("d");
      await journal.close();`;
    // Files there can't be larger than 8 KiB.
    const script =
      'ulimit -f 8 && TSX_DISABLE_CACHE=1 exec "$0" --import tsx --input-type module --eval "$1" "$2"';
    await promisify(execFile)("bash", ["-c", script, process.execPath, child, file]);
    const journal = await openJournal(file);
    expect(journal.open()).toEqual([createStarted("a"), createStarted("c"), createStarted("d")]);
    await journal.close();
  });

  it("rejects a file that is not a journal", async () => {
    await (await openJournal(file)).close();
    writeFileSync(file, "a line of something else\n");
    await expect(openJournal(file)).rejects.toThrow("line 1, is not a journal entry");
    expect(readFileSync(file, "utf8")).toBe("a line of something else\n");
  });

  it("can be open only once, and is free when its owner is gone", async () => {
    const journal = await openJournal(file);
    await expect(openJournal(file)).rejects.toThrow(`process ${process.pid} is already using the journal`);
    await journal.close();
    // No process has this id.
    writeFileSync(`${file}.lock`, "4194305");
    await (await openJournal(file)).close();
  });

  it("can be open only once per process, however its path is spelled", async () => {
    const journal = await openJournal(file);
    const other = path.relative(process.cwd(), file);
    await expect(openJournal(other)).rejects.toThrow(`process ${process.pid} is already using the journal`);
    await journal.close();
  });

  it.skipIf(process.platform !== "linux")("is free when its owner's process id was reused", async () => {
    await (await openJournal(file)).close();
    writeFileSync(`${file}.lock`, `${process.ppid} 1`);
    await (await openJournal(file)).close();
    writeFileSync(`${file}.lock`, String(process.ppid));
    await expect(openJournal(file)).rejects.toThrow(`process ${process.ppid} is already using the journal`);
  });

  it.each(["", "4194305"])(
    "is opened by only one of several concurrent processes, after %o",
    async (left) => {
      await (await openJournal(file)).close();
      writeFileSync(`${file}.lock`, left);
      const child = `
      import { once } from "node:events";
      import { openJournal } from ${JSON.stringify(new URL("../../src/client/journal.ts", import.meta.url).href)};
      process.send("ready");
      await once(process, "message");
      process.send(await openJournal(process.argv[1]).then(() => "open", () => "refused"));
      await once(process, "message");`;
      const options = ["--import", "tsx", "--input-type", "module", "--eval", child, file];
      const children = Array.from({ length: 4 }, () =>
        spawn(process.execPath, options, { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
      );
      const answers = () => Promise.all(children.map(async (each) => (await once(each, "message"))[0]));
      expect(await answers()).toEqual(children.map(() => "ready"));
      const given = answers();
      for (const each of children) each.send("go");
      expect((await given).filter((answer) => answer === "open")).toHaveLength(1);
      const ends = children.map((each) => once(each, "exit"));
      for (const each of children) each.kill();
      await Promise.all(ends);
    },
  );

  it("forgets old finished commands, but no open ones", async () => {
    const lines = Array.from(
      { length: 1500 },
      (_each, index) => `${JSON.stringify(createReported(`r${index}`))}\n`,
    );
    await (await openJournal(file)).close();
    writeFileSync(file, `${JSON.stringify(createStarted("a"))}\n${lines.join("")}`);
    const journal = await openJournal(file);
    expect(journal.open()).toEqual([createStarted("a")]);
    expect([journal.read("r499"), journal.read("r500")]).toEqual([undefined, createReported("r500")]);
    await journal.close();
    expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(1001);
  });
});
