import pino from "pino";
import { expect, it } from "vitest";
import { openDatabase } from "../../src/db/client.ts";
import type { Statement } from "../../src/db/sql.ts";
import { createTestDatabase } from "../support/database.ts";

const SHOW: Statement<{ jit: string }> = { name: "show_jit", text: "SHOW jit" };

it("no statement is compiled by PostgreSQL, even where its databases are set to", async () => {
  const { url, query, drop } = await createTestDatabase();
  await query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET jit = on`);
  const database = openDatabase(url, pino({ level: "silent" }), { poolSize: 1 });
  expect(await database.run(SHOW, [])).toEqual([{ jit: "off" }]);
  await database.close();
  await drop();
});
