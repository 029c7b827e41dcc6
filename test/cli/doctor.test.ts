import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createBareDatabase, createSpareDatabase } from "../support/backups.ts";
import { type TestServer, startTestServer } from "../support/server.ts";
import { runCli } from "./run-cli.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

/** The status and text of each check by name. */
async function examine(environment: Record<string, string>) {
  const { exitCode, stdout } = await runCli(["doctor", "--json"], environment);
  const { checks, ...counts } = JSON.parse(stdout);
  const byName = Object.fromEntries(
    checks.map(({ check, status, found }: Record<string, string>) => [check, `${status} ${found}`]),
  );
  return { exitCode, counts, checks: byName };
}

/** Answers every request. @returns its origin. */
async function startAnswering(status: number, body: string): Promise<string> {
  const answering = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => void answering.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void answering.close());
  // A server that listens on a TCP port has this kind of address.
  return `http://127.0.0.1:${(answering.address() as AddressInfo).port}`;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: "busy" });
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe("doctor", () => {
  it("finds nothing wrong with a server and its database", async () => {
    const { checks } = await examine({
      DATABASE_URL: server.database.url,
      PUBLIC_BASE_URL: server.url,
      SECRETS_KEY: "A".repeat(43),
      AUDIT_KEY: "A".repeat(43),
    });
    expect(checks).toMatchObject({
      "database.version": expect.stringMatching(/^ok PostgreSQL 1/),
      "database.encoding": "ok UTF8",
      "database.migrations": expect.stringMatching(/^ok all \d+/),
      "database.indexes": expect.stringMatching(/^ok all \d+/),
      "database.locks": expect.stringMatching(/^ok/),
      "database.transactions": expect.stringMatching(/^ok/),
      "database.bloat": expect.stringMatching(/^ok/),
      clock: expect.stringMatching(/^ok/),
      disk: expect.stringMatching(/^(ok|warn) [\d.]+ GiB/),
      "keys.secrets": expect.stringMatching(/^ok/),
      mail: expect.stringMatching(/^warn emails are written to/),
      public_url: `ok ${server.url} is ready`,
    });
  });

  it("exits with 1 for a database that doesn't exist, and still says the rest", async () => {
    const url = new URL(server.database.url);
    url.pathname = "/nowhere_at_all";
    const { exitCode, counts, checks } = await examine({ DATABASE_URL: url.href });
    expect({ exitCode, failures: counts.failures }).toEqual({ exitCode: 1, failures: 1 });
    expect(checks).toMatchObject({
      "database.connection": 'fail database "nowhere_at_all" does not exist',
      disk: expect.any(String),
    });
  });

  it("finds a pooler whose connections lack the server's time limits, and one that can't be reached", async () => {
    const pooler = new URL(server.database.url);
    const settings = ["statement_timeout=10000", "lock_timeout=9000", "jit=off"].map((one) => `-c ${one}`);
    pooler.searchParams.set("options", settings.join(" "));
    const environment = { DIRECT_DATABASE_URL: server.database.url };
    const lacking = await examine({ ...environment, DATABASE_URL: pooler.href });
    expect(lacking.checks["database.pooler"]).toBe(
      "warn idle_in_transaction_session_timeout is 0 instead of 3000",
    );
    pooler.searchParams.set("options", `${settings.join(" ")} -c idle_in_transaction_session_timeout=3s`);
    const whole = await examine({ ...environment, DATABASE_URL: pooler.href });
    expect(whole.checks["database.pooler"]).toBe("ok its connections have the server's settings");
    pooler.pathname = "/nowhere_at_all";
    const lost = await examine({ ...environment, DATABASE_URL: pooler.href });
    expect(lost.checks["database.pooler"]).toBe('fail database "nowhere_at_all" does not exist');
  });

  it("finds that a replica is none", async () => {
    const replica = new URL(server.database.url);
    replica.searchParams.set("application_name", "replica");
    const environment = { DATABASE_URL: server.database.url, REPLICA_DATABASE_URL: replica.href };
    expect((await examine(environment)).checks["database.replica"]).toBe("fail it is no replica");
  });

  it("finds indexes that are missing or can't be used, and says how to create them", async () => {
    const database = await createSpareDatabase();
    await database.query("DROP INDEX task_held_idx");
    const { exitCode, stdout } = await runCli(["doctor"], { DATABASE_URL: database.url });
    expect(exitCode).toBe(1);
    expect(stdout).toContain("fail  database.indexes");
    expect(stdout).toContain('CREATE INDEX "task_held_idx"');
    await database.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'event_pkey'::regclass");
    const { checks } = await examine({ DATABASE_URL: database.url });
    expect(checks["database.indexes"]).toBe("fail event_pkey can't be used");
  });

  it("finds migrations that are pending, unknown or unfinished", async () => {
    const bare = await createBareDatabase("SELECT 1");
    expect((await examine({ DATABASE_URL: bare.url })).checks["database.migrations"]).toMatch(
      /^warn (\d+) of \1 are not applied/,
    );
    const database = await createSpareDatabase();
    await database.query(
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_live'",
    );
    expect((await examine({ DATABASE_URL: database.url })).checks["database.migrations"]).toMatch(
      /^fail \d+_live was not finished/,
    );
    await database.query(
      "UPDATE _prisma_migrations SET migration_name = '0_other' WHERE finished_at IS NULL",
    );
    expect((await examine({ DATABASE_URL: database.url })).checks["database.migrations"]).toMatch(
      /^fail 0_other is of a newer version/,
    );
  });

  it("finds who waits for a lock, and for whom", async () => {
    const database = await createSpareDatabase();
    const [holder, waiter] = [await connect(database.url), await connect(database.url)];
    await holder.query("BEGIN; LOCK TABLE task");
    const waiting = waiter.query("SELECT FROM task");
    await expect
      .poll(async () => (await examine({ DATABASE_URL: database.url })).checks["database.locks"], {
        timeout: 20_000,
      })
      .toMatch(/^warn 1 wait, for up to \d+ s, for process \d+ \(busy\)$/);
    await holder.query("ROLLBACK");
    await waiting;
  });

  it("finds an encoding that can't hold all texts", async () => {
    const bare = await createBareDatabase("SELECT 1", "ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0");
    expect((await examine({ DATABASE_URL: bare.url })).checks["database.encoding"]).toBe("fail SQL_ASCII");
  });

  it.each([
    [200, "{}", "ok"],
    [401, "Forbidden", "warn"],
    [404, "{}", "fail"],
    [503, "", "warn"],
  ])("asks the mail provider for the domain: %d", async (status, body, expected) => {
    const { checks } = await examine({
      DATABASE_URL: server.database.url,
      MAILGUN_API_KEY: "key",
      MAILGUN_DOMAIN: "mg.example.com",
      MAILGUN_BASE_URL: await startAnswering(status, body),
    });
    expect(checks["mail"]).toMatch(new RegExp(`^${expected} http`));
  });

  it("finds a public address that leads elsewhere or nowhere", async () => {
    const place = { DATABASE_URL: server.database.url };
    const other = await startAnswering(200, "<h1>Welcome to nginx!</h1>");
    expect((await examine({ ...place, PUBLIC_BASE_URL: other })).checks["public_url"]).toMatch(
      /^fail .* is not from Agent Ops$/,
    );
    const stopped = await startAnswering(503, '{"status":"unavailable"}');
    expect((await examine({ ...place, PUBLIC_BASE_URL: stopped })).checks["public_url"]).toMatch(
      /^fail .* is not ready \(503\)$/,
    );
    const { checks } = await examine({ ...place, PUBLIC_BASE_URL: other.replace("http:", "https:") });
    expect(checks["public_url"]).toMatch(/^fail https:.* can't be reached: /);
    expect(checks["proxy"]).toMatch(/^warn no proxy is trusted/);
  });

  it("says that there is no embedded database yet", async () => {
    const { exitCode, checks } = await examine({ DATA_DIR: "/nowhere" });
    expect(exitCode).toBe(1);
    expect(checks["database.connection"]).toMatch(/^fail There is no database in \/nowhere/);
  });
});
