import { type Socket, connect, createServer } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/db/client.ts";
import { getDatabaseErrorKind } from "../../src/db/database-errors.ts";
import type { Statement } from "../../src/db/sql.ts";
import { type TestDatabase, createTestDatabase } from "../support/database.ts";

const LOG = pino({ level: "silent" });
const INSERT: Statement = {
  name: "test_insert",
  text: "INSERT INTO kept (id) VALUES ($1::int) RETURNING id",
};
const COUNT: Statement<{ count: number }> = {
  name: "test_count",
  text: "SELECT count(*)::int AS count FROM kept",
};

const PID: Statement<{ pid: number }> = { name: "test_pid", text: "SELECT pg_backend_pid() AS pid" };

let store: TestDatabase;
let database: Database;

beforeAll(async () => {
  store = await createTestDatabase();
  await store.query("CREATE TABLE kept (id int PRIMARY KEY)");
  // One connection, so that the next transaction meets whatever the previous one left behind.
  database = openDatabase(store.url, LOG, { poolSize: 1 });
});

afterAll(async () => {
  await database.close();
  await store.drop();
});

beforeEach(() => store.query("DELETE FROM kept"));

async function readKept(): Promise<number[]> {
  return (await store.query<{ id: number }>("SELECT id FROM kept ORDER BY id")).map(({ id }) => id);
}

describe("a transaction of prepared statements", () => {
  it("sees its own rows, and others see them after it has ended", async () => {
    const seen = await database.transaction(async ({ run }) => {
      await run(INSERT, [1]);
      const [row] = await run(COUNT, []);
      return { result: [row?.count, await readKept()], last: [[INSERT, [2]]] };
    });
    expect(seen).toEqual([1, []]);
    expect(await readKept()).toEqual([1, 2]);
  });

  it("runs several statements at once, in order", async () => {
    const work = database.transaction(async ({ run }) => {
      const [, counted] = await Promise.all([run(INSERT, [1]), run(COUNT, [])]);
      expect(counted).toEqual([{ count: 1 }]);
      throw new Error("taken back");
    });
    await expect(work).rejects.toThrow("taken back");
    expect(await readKept()).toEqual([]);
  });

  it("can consist of only last statements, or of nothing", async () => {
    const both: [Statement, unknown[]][] = [
      [INSERT, [1]],
      [INSERT, [2]],
    ];
    await database.transaction(async () => ({ result: null, last: both }));
    expect(await readKept()).toEqual([1, 2]);
    expect(await database.transaction(async () => ({ result: "nothing", last: [] }))).toBe("nothing");
  });

  it("rolls back if one of its last statements fails, and reports that one", async () => {
    const both: [Statement, unknown[]][] = [
      [INSERT, [1]],
      [INSERT, [3]],
    ];
    const work = database.transaction(async ({ run }) => {
      await run(INSERT, [1]);
      return { result: null, last: both };
    });
    expect(getDatabaseErrorKind(await work.catch((error: unknown) => error))).toBe("taken");
    expect(await readKept()).toEqual([]);
    await database.transaction(async () => ({ result: null, last: both }));
    expect(await readKept()).toEqual([1, 3]);
  });

  it("never counts as committed if a statement's error was caught", async () => {
    const work = database.transaction(async ({ run }) => {
      await run(INSERT, [1]);
      await run(INSERT, [1]).catch(() => {});
      return { result: null, last: [] };
    });
    await expect(work).rejects.toThrow();
    expect(await readKept()).toEqual([]);
  });

  it("fails on constraints checked at COMMIT, and writes nothing", async () => {
    await store.query("CREATE TABLE late (id int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    const insert: Statement = { name: "test_late", text: "INSERT INTO late (id) VALUES (1)" };
    const work = database.transaction(async ({ run }) => {
      await run(INSERT, [1]);
      await run(insert, []);
      return { result: "done", last: [[insert, []]] };
    });
    expect(getDatabaseErrorKind(await work.catch((error: unknown) => error))).toBe("taken");
    expect([await readKept(), await store.query("SELECT id FROM late")]).toEqual([[], []]);
    await database.transaction(async () => ({ result: null, last: [[INSERT, [2]]] }));
    expect(await readKept()).toEqual([2]);
  });

  it("runs nothing after its end, also not in another transaction", async () => {
    let goOn: () => void = () => {};
    const signal = new Promise<void>((resolve) => (goOn = resolve));
    let late: Promise<unknown> | undefined;
    const work = database.transaction(async ({ run }) => {
      await run(INSERT, [1]);
      late = signal.then(() => run(INSERT, [2]));
      throw new Error("taken back");
    });
    await expect(work).rejects.toThrow("taken back");
    const next = database.transaction(async ({ run }) => {
      await run(INSERT, [3]);
      goOn();
      await expect(late).rejects.toThrow("ended");
      return { result: null, last: [] };
    });
    await next;
    expect(await readKept()).toEqual([3]);
  });

  it("fails as unavailable if its connection is lost between its last statements", async () => {
    const end: Statement = { name: "test_end", text: "SELECT pg_terminate_backend(pg_backend_pid())" };
    const last: [Statement, unknown[]][] = [
      [INSERT, [1]],
      [end, []],
      [INSERT, [2]],
    ];
    const work = database.transaction(async () => ({ result: "done", last }));
    expect(getDatabaseErrorKind(await work.catch((error: unknown) => error))).toBe("unavailable");
    expect(await readKept()).toEqual([]);
    await database.transaction(async () => ({ result: null, last: [[INSERT, [3]]] }));
    expect(await readKept()).toEqual([3]);
  });

  it("fails as unavailable if its connection is lost, and the next one uses another", async () => {
    const work = database.transaction(async ({ run }) => {
      const [own] = await run(PID, []);
      await store.query("SELECT pg_terminate_backend($1, 5000)", [own?.pid]);
      return { result: null, last: [[INSERT, [1]]] };
    });
    expect(getDatabaseErrorKind(await work.catch((error: unknown) => error))).toBe("unavailable");
    await database.transaction(async () => ({ result: null, last: [[INSERT, [2]]] }));
    expect(await readKept()).toEqual([2]);
  });

  it("needs no round trip for BEGIN, and none for COMMIT", async () => {
    const writes = await countWrites(store.url);
    const counted = openDatabase(writes.url, LOG, { poolSize: 1 });
    const once = async (id: number) =>
      counted.transaction(async ({ run }) => {
        await run(COUNT, []);
        return { result: null, last: [[INSERT, [id]]] };
      });
    await once(1);
    const before = writes.count();
    await once(2);
    expect(writes.count() - before).toBe(2);
    await counted.close();
    await writes.close();
  });
});

describe("Prisma in a transaction", () => {
  const READ_PID = `${PID.text} WHERE $1::int IS NOT NULL`;
  let wide: Database;
  beforeAll(() => {
    wide = openDatabase(store.url, LOG, { poolSize: 8 });
  });
  afterAll(() => wide.close());

  it("is on the transaction's own connection, however many begin at once", async () => {
    const pids = await Promise.all(
      Array.from({ length: 40 }, (_, id) =>
        wide.transaction(async ({ run, lend }) => {
          const prisma = await lend((client) => client);
          const [own] = await run(PID, []);
          const [lent] = await prisma.$queryRawUnsafe<{ pid: number }[]>(READ_PID, id);
          return { result: [own?.pid, lent?.pid], last: [] };
        }),
      ),
    );
    for (const [own, lent] of pids) expect(lent).toBe(own);
  });

  it("sees what statements wrote, and is taken back with them", async () => {
    const work = wide.transaction(async ({ run, lend }) => {
      const prisma = await lend((client) => client);
      await run(INSERT, [1]);
      await prisma.$executeRawUnsafe("INSERT INTO kept (id) VALUES ($1::int)", 2);
      expect(await run(COUNT, [])).toEqual([{ count: 2 }]);
      throw new Error("taken back");
    });
    await expect(work).rejects.toThrow("taken back");
    expect(await readKept()).toEqual([]);
  });

  it("is committed with the last statements, also where it alone wrote", async () => {
    await wide.transaction(async ({ lend }) => {
      const prisma = await lend((client) => client);
      await prisma.$executeRawUnsafe("INSERT INTO kept (id) VALUES (1)");
      return { result: null, last: [] };
    });
    expect(await readKept()).toEqual([1]);
  });

  it("works no more when the transaction is over", async () => {
    const prisma = await wide.transaction(async ({ lend }) => {
      const client = await lend((one) => one);
      await client.$queryRawUnsafe("SELECT 1");
      return { result: client, last: [] };
    });
    await expect(prisma.$executeRawUnsafe("INSERT INTO kept (id) VALUES (1)")).rejects.toThrow(
      /transaction/i,
    );
    expect(await readKept()).toEqual([]);
  });

  it("fails the transaction whose statement failed in it, though that was caught", async () => {
    const work = wide.transaction(async ({ lend }) => {
      const prisma = await lend((client) => client);
      await prisma.$executeRawUnsafe("INSERT INTO kept (id) VALUES (1), (1)").catch(() => {});
      return { result: null, last: [] };
    });
    await expect(work).rejects.toThrow();
    expect(await readKept()).toEqual([]);
  });
});

/** A database connection that counts round trips. */
async function countWrites(
  url: string,
): Promise<{ url: string; count: () => number; close: () => Promise<void> }> {
  const target = new URL(url);
  let turns = 0;
  const open: Socket[] = [];
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname);
    let hasAnswered = true;
    incoming.on("data", () => {
      if (hasAnswered) turns++;
      hasAnswered = false;
    });
    outgoing.on("data", () => (hasAnswered = true));
    incoming.pipe(outgoing).pipe(incoming);
    open.push(incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const via = new URL(url);
  via.hostname = "127.0.0.1";
  via.port = String(typeof address === "object" ? address?.port : "");
  return {
    url: via.href,
    count: () => turns,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
