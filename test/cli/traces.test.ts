import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { exportTraces } from "../../src/domain/traces/export/export-traces.ts";
import { DOLLARS } from "../support/budget-scene.ts";
import { createRequest, createSpan, newTraceId, textAttribute, toNanoseconds } from "../support/otlp.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";
import {
  type TraceScene,
  createCallSpan,
  createOtherSender,
  createTraceScene,
  sendSpans,
} from "../support/trace-scene.ts";
import { runCli } from "./run-cli.ts";

let server: QuietServices;
let scene: TraceScene;
let handle: string;

beforeAll(async () => {
  server = await openQuietServices();
});

afterAll(() => server.close());

beforeEach(async () => {
  scene = await createTraceScene(server);
  ({ handle } = await createOtherSender(server, scene));
});

async function importLines(lines: readonly string[], ...more: string[]) {
  const options = ["--workspace", scene.workspaceId, "--agent", handle, "--file", "-", ...more];
  const input = lines.map((line) => `${line}\n`).join("");
  return runCli(["traces", "import", ...options], { DATABASE_URL: server.database.url }, input);
}

const DAY_MS = 86_400_000;

/** Times of a span that lasted a second, some days ago. */
function daysAgo(days: number) {
  const startMs = Date.now() - days * DAY_MS;
  return {
    startTimeUnixNano: toNanoseconds(new Date(startMs)),
    endTimeUnixNano: toNanoseconds(new Date(startMs + 1000)),
  };
}

function toDay(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

describe("traces import", () => {
  it("takes an export of another workspace, whose own export is then the same", async () => {
    const other = await createTraceScene(server);
    const traceId = newTraceId();
    const spans = Array.from({ length: 1200 }, (_, at) =>
      createSpan({ traceId, name: `step ${at}`, attributes: [textAttribute("word", `word ${at}`)] }),
    );
    await sendSpans(other.agent, spans);
    const said = { attributes: [textAttribute("long", "x".repeat(100_000)), { key: "empty" }] };
    await sendSpans(other.agent, [createCallSpan({ ...said, model: "gpt-5", input: 1, output: 2 })]);
    await sendSpans(other.agent, [createSpan({ ...daysAgo(3), endTimeUnixNano: "0" })]);
    const exported = await readExport(other);
    expect(exported).toHaveLength(4);
    const { exitCode, stdout } = await importLines(exported);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: "1202 spans stored, 0 older than traces are kept, 0 rejected\n",
    });
    expect(findDifferences(await readExport(scene), exported)).toEqual([]);
    expect(await importLines(exported)).toMatchObject({ exitCode: 0 });
    expect(findDifferences(await readExport(scene), exported)).toEqual([]);
  });

  it("places a trace on its own day, and charges it there and to no budget", async () => {
    await createBudget(scene.system, DOLLARS);
    const call = createCallSpan({ model: "gpt-5", input: 10, output: 5, cost: 0.5 }, daysAgo(3));
    await importLines([JSON.stringify(createRequest([call]))]);
    const [trace] = await server.database.query(
      "SELECT day::text, cost_usd::float8 AS cost, agent_id FROM trace WHERE workspace_id = $1",
      [scene.workspaceId],
    );
    expect(trace).toMatchObject({ day: toDay(3), cost: 0.5 });
    const days = await server.database.query(
      `SELECT (start AT TIME ZONE 'UTC')::date::text AS day, sum(cost_usd)::float8 AS cost FROM usage_bucket
       WHERE workspace_id = $1 AND dimension = 'workspace' AND period = 'day' GROUP BY 1`,
      [scene.workspaceId],
    );
    expect(days).toEqual([{ day: toDay(3), cost: 0.5 }]);
    expect(
      await server.database.query("SELECT 1 FROM budget_charge WHERE workspace_id = $1", [scene.workspaceId]),
    ).toEqual([]);
  });

  it("leaves out what is older than traces are kept, and says what can't be stored", async () => {
    const old = createSpan(daysAgo(31));
    const wrong = createSpan({ spanId: "1" });
    const lines = [[old], [wrong, createSpan()]].map((spans) => JSON.stringify(createRequest(spans)));
    const { exitCode, stdout } = await importLines(lines);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout:
        "line 2: span 1: spanId must be 8 bytes, and not all zero\n" +
        "1 spans stored, 1 older than traces are kept, 1 rejected\n",
    });
  });

  it("names the line that can't be read, and keeps those before", async () => {
    const { exitCode, stderr } = await importLines([JSON.stringify(createRequest([createSpan()])), "", "{"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("line 3 can't be read");
    expect(await readExport(scene)).toHaveLength(1);
  });

  it("rejects an agent that the workspace doesn't have", async () => {
    const { exitCode, stderr } = await importLines([], "--agent", "nobody");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--agent") });
  });
});

async function readExport({ agent }: TraceScene): Promise<string[]> {
  const lines: string[] = [];
  let after: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof exportTraces>> = await exportTraces(agent, { after });
    lines.push(...page.lines);
    after = page.next;
  } while (after !== null);
  return lines;
}

/** The beginnings of lines that only one of two exports has. */
function findDifferences(one: readonly string[], other: readonly string[]): string[] {
  const [ones, others] = [new Set(one), new Set(other)];
  const differing = [...one.filter((line) => !others.has(line)), ...other.filter((line) => !ones.has(line))];
  return differing.map((line) => line.slice(0, 500));
}
