import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { scrape } from "../support/read-metrics.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

const RULES = file("deploy/prometheus/alerts.yaml");
const RULE_TESTS = file("test/deploy/alerts.promtool.yaml");
/** What Prometheus adds to each scrape. */
const OF_PROMETHEUS = ["up"];
/** In graphs under another name: suffixes of histograms. */
const SUFFIX = /_(?:bucket|sum|count)$/;

type Panel = {
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
};
type Rule = {
  record?: string;
  alert?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};

const dashboard = JSON.parse(readFileSync(file("deploy/grafana/agent-ops.json"), "utf8")) as {
  panels: Panel[];
};
const rules = (parse(readFileSync(RULES, "utf8")) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const graphed = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
let server: TestServer;
let exported: Set<string>;

beforeAll(async () => {
  server = await startTestServer({ METRICS_PORT: "0" });
  exported = new Set(Array.from((await scrape(server)).matchAll(/^# TYPE (\S+)/gm), ([, name = ""]) => name));
});

afterAll(() => server.close());

function file(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The metrics of an expression: names outside of selectors, groupings and texts. */
function findMetrics(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]/g, " ")
    .replaceAll(/\b(?:by|on|without|ignoring)\s*\([^)]*\)/g, " ");
  return Array.from(bare.matchAll(/[a-z_:][\w:]*(?!\w*\s*\()/gi), ([name]) => name).filter((name) =>
    /[_:]|^up$/.test(name),
  );
}

/** Of one expression after the other, without the suffixes of histograms. */
function listMetrics(exprs: readonly string[]): string[] {
  return exprs.flatMap(findMetrics).map((name) => (exported.has(name) ? name : name.replace(SUFFIX, "")));
}

function findUnknown(exprs: readonly string[]): string[] {
  const known = new Set([...exported, ...OF_PROMETHEUS, ...rules.flatMap(({ record = [] }) => record)]);
  return listMetrics(exprs).filter((name) => !known.has(name));
}

describe("the dashboard", () => {
  it("shows only metrics that a server exports", () => {
    expect(graphed.length).toBeGreaterThan(30);
    expect(findUnknown(graphed)).toEqual([]);
    expect(findUnknown(["rate(agent_ops_invented_total[5m])"])).toEqual(["agent_ops_invented_total"]);
  });

  it("shows every metric of ours", () => {
    const shown = new Set(listMetrics(graphed));
    expect([...exported].filter((name) => name.startsWith("agent_ops_") && !shown.has(name))).toEqual([]);
  });

  it("has a row for each subject, and no panel over another", () => {
    expect(dashboard.panels.filter(({ type }) => type === "row").map(({ title }) => title)).toEqual([
      ...["Traffic", "Errors", "Latency", "Live connections", "Database pool", "Queues"],
      ...["Sweeps and other jobs", "Emails", "Webhooks", "Ingest", "Process"],
    ]);
    const places = dashboard.panels.map(({ gridPos }) => gridPos);
    const overlaps = places.filter((one, index) =>
      places
        .slice(index + 1)
        .some(
          (other) =>
            one.x < other.x + other.w &&
            other.x < one.x + one.w &&
            one.y < other.y + other.h &&
            other.y < one.y + one.h,
        ),
    );
    expect(overlaps).toEqual([]);
  });
});

describe("the alert rules", () => {
  it("use only metrics that a server exports, or that they record", () => {
    expect(findUnknown(rules.map(({ expr }) => expr))).toEqual([]);
  });

  it("say what has happened, how urgent it is, and what to do", () => {
    const alerts = rules.filter(({ alert }) => alert !== undefined);
    expect(alerts.length).toBeGreaterThan(20);
    for (const { labels, annotations } of alerts) {
      expect(["page", "ticket"]).toContain(labels?.["severity"]);
      expect(Object.keys(annotations ?? {})).toEqual(["summary", "runbook"]);
    }
  });

  // Debian's package `prometheus` has it.
  const isInstalled = spawnSync("promtool", ["--version"]).status === 0;
  it.skipIf(!isInstalled)(
    "fire when they should, as promtool finds (skipped where promtool is not installed)",
    () => {
      for (const args of [
        ["check", "rules", RULES],
        ["test", "rules", RULE_TESTS],
      ]) {
        const { status, stdout, stderr } = spawnSync("promtool", args, { encoding: "utf8" });
        expect({ status, said: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, said: "" });
      }
    },
  );
});
