import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Run } from "../../../src/db/sql.ts";
import { type DecisionLogSettings, createDecisionLog } from "../../../src/domain/decisions/decision-log.ts";
import type { DecisionRow, MatchedPolicy } from "../../../src/domain/decisions/decision-row.ts";
import { createDecisionCleanups } from "../../../src/domain/decisions/decision-cleanup.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { readTimeseries } from "../../../src/domain/overview/read-timeseries.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { cleanUp } from "../../../src/domain/sweeps/clean-up.ts";
import { updateWorkspace } from "../../../src/domain/workspaces/update-workspace.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { createDecisionRow, toLogged } from "../../support/decision-row.ts";
import { lockTable } from "../../support/locked-table.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";

const HOUR_MS = 3_600_000;
const AT = new Date("2026-06-01T12:34:56.789Z");
const SAMPLED: DecisionLogSettings = { mode: "sampled", durability: "buffered" };

let quiet: QuietServices;
let ctx: Ctx;
let agentId: string;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

beforeEach(async () => {
  ctx = quiet.systemCtx((await quiet.createWorkspace()).workspaceId);
  agentId = await insertTestAgent(ctx);
});

function open(run: Run = quiet.services.database.run) {
  return createDecisionLog({ run }, quiet.services.log);
}

function row(fields: Partial<DecisionRow> = {}, at = AT): DecisionRow {
  const own = { workspaceId: ctx.workspaceId, agentId, outcome: "allow", reason: "policy_allow" } as const;
  return createDecisionRow(at, { ...own, ...fields });
}

function rows(count: number, fields: Partial<DecisionRow> = {}, at = AT): DecisionRow[] {
  return Array.from({ length: count }, () => row(fields, at));
}

async function logAll(all: readonly DecisionRow[], settings = SAMPLED): Promise<void> {
  const log = open();
  for (const one of all) await log.log([toLogged(one)], settings);
  await log.close();
}

function matched(id: string, fields: Partial<MatchedPolicy> = {}): MatchedPolicy {
  const policy = { id, generation: 1, name: "x", effect: "allow", mode: "enforce" } as const;
  return { ...policy, result: true, decided: true, ...fields };
}

async function countStored(): Promise<number> {
  const [found] = await quiet.database.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM decision WHERE workspace_id = $1",
    [ctx.workspaceId],
  );
  return found?.count ?? 0;
}

async function readSums(): Promise<Record<string, unknown>[]> {
  return quiet.database.query(
    `SELECT seconds, at, action, outcome, would, count FROM decision_sum WHERE workspace_id = $1
     ORDER BY seconds, at, action, outcome, would`,
    [ctx.workspaceId],
  );
}

async function readHourCount(): Promise<number> {
  const sums = await readSums();
  return sums.filter(({ seconds }) => seconds === 3600).reduce((sum, { count }) => sum + Number(count), 0);
}

describe("sampled decisions", () => {
  it("are 20 a minute of the same kind, and all that allow nothing; every one is counted", async () => {
    const later = new Date(AT.getTime() + 60_000);
    await logAll([
      ...rows(25),
      ...rows(25, {}, later),
      ...rows(25, { matched: [matched(crypto.randomUUID())] }),
      ...rows(2, { resourceId: "y" }),
      ...rows(25, { outcome: "deny", reason: "default_deny" }),
      ...rows(25, { would: "ask" }),
    ]);
    expect(await countStored()).toBe(20 + 20 + 20 + 2 + 25 + 25);
    const [minute, next, hour] = ["2026-06-01T12:34:00Z", "2026-06-01T12:35:00Z", "2026-06-01T12:00:00Z"].map(
      (at) => new Date(at),
    );
    const [allow, ask, deny] = ["allow", "ask", "deny"];
    expect(await readSums()).toEqual([
      { seconds: 60, at: minute, action: "x", outcome: allow, would: allow, count: 52 },
      { seconds: 60, at: minute, action: "x", outcome: allow, would: ask, count: 25 },
      { seconds: 60, at: minute, action: "x", outcome: deny, would: deny, count: 25 },
      { seconds: 60, at: next, action: "x", outcome: allow, would: allow, count: 25 },
      { seconds: 3600, at: hour, action: "x", outcome: allow, would: allow, count: 77 },
      { seconds: 3600, at: hour, action: "x", outcome: allow, would: ask, count: 25 },
      { seconds: 3600, at: hour, action: "x", outcome: deny, would: deny, count: 25 },
    ]);
  });

  it("are the only permissions that are described", async () => {
    let described = 0;
    const log = open();
    for (const one of rows(25)) {
      const { summary, describe: describeOne } = toLogged(one);
      const describeCounted = () => {
        described++;
        return describeOne();
      };
      await log.log([{ summary, describe: describeCounted }], SAMPLED);
    }
    expect(described).toBe(20);
    await log.close();
  });

  it("are all of them with the setting all", async () => {
    await logAll(rows(25), { mode: "all", durability: "buffered" });
    expect([await countStored(), await readHourCount()]).toEqual([25, 25]);
  });
});

describe("sums", () => {
  it("of several nodes add up, whatever the order in which they are written", async () => {
    const actions = Array.from({ length: 40 }, (_, index) => `action ${index}`);
    const nodes = [actions, actions.toReversed(), actions].map((own) =>
      logAll(own.flatMap((action) => rows(3, { action }))),
    );
    await Promise.all(nodes);
    expect(await readHourCount()).toBe(3 * 3 * 40);
  });

  it("name the first hundred actions of a workspace in an hour", async () => {
    const actions = Array.from({ length: LIMITS.countedActions + 30 }, (_, index) => `action ${index}`);
    await logAll(actions.map((action) => row({ action })));
    const sums = (await readSums()).filter(({ seconds }) => seconds === 60);
    expect(sums).toHaveLength(LIMITS.countedActions + 1);
    expect(sums[0]).toMatchObject({ action: "", count: 30 });
    expect(await readHourCount()).toBe(LIMITS.countedActions + 30);
  });

  it("are stored later if they can't be stored at once", async () => {
    let failures = 0;
    const log = open(async (statement, values) => {
      if (statement.text.includes("decision_sum") && failures++ === 0) throw new Error("no database");
      return quiet.services.database.run(statement, values);
    });
    await log.log(rows(3).map(toLogged), SAMPLED);
    await expect.poll(readHourCount, { timeout: 10_000 }).toBe(3);
    expect(failures).toBe(2);
    await log.close();
    expect(await readHourCount()).toBe(3);
  });

  it("are as many of a workspace as are left for others, which go on", async () => {
    const log = open(() => new Promise(() => {}));
    for (const [n, one] of rows(25_000).entries()) log.count({ ...one, agentId: `agent ${n}` });
    await expect(log.log([toLogged(row())], SAMPLED)).rejects.toMatchObject({ code: "unavailable" });
    const other = row({ workspaceId: crypto.randomUUID() });
    await expect(log.log([toLogged(other)], SAMPLED)).resolves.toBeUndefined();
  });

  it("are deleted after two days, those of hours as late as decisions", async () => {
    await updateWorkspace(ctx, { decisionRetentionDays: 4 });
    const policyId = crypto.randomUUID();
    const ages = [0, 47, 49, 95, 98];
    await logAll(
      ages.map((hours) => row({ matched: [matched(policyId)] }, new Date(AT.getTime() - hours * HOUR_MS))),
    );
    const { deleted } = await cleanUp(quiet.services, createDecisionCleanups(quiet.services, AT));
    expect(deleted).toMatchObject({ decision_sum: 4, policy_sum: 4 });
    expect((await readSums()).map(({ seconds }) => seconds)).toEqual([60, 60, 3600, 3600, 3600, 3600]);
  });
});

describe("durability", () => {
  it("strict stores permissions before they are answered, buffered does not wait", async () => {
    const lock = await lockTable(quiet.database, "decision");
    const log = open();
    await log.log([toLogged(row())], SAMPLED);
    let isLogged = false;
    const strict = log
      .log([toLogged(row())], { mode: "sampled", durability: "strict" })
      .then(() => (isLogged = true));
    await lock.waiters(2);
    expect(isLogged).toBe(false);
    await lock.release();
    await strict;
    await log.close();
    expect(await countStored()).toBe(2);
  });
});

describe("charts of decisions", () => {
  it("are by agent, action, outcome and policy, in minutes or hours", async () => {
    const { id: policyId } = await createPolicy(ctx, { name: "tools", effect: "allow", actions: ["*"] });
    const trial = crypto.randomUUID();
    const both = [matched(policyId), matched(trial, { effect: "deny", mode: "monitor", decided: false })];
    const held = matched(policyId, { result: false, decided: false });
    await logAll([
      ...rows(3, { matched: both, would: "deny" }),
      ...rows(2, { action: "y", outcome: "deny", matched: [held] }, new Date(AT.getTime() + HOUR_MS)),
    ]);
    const from = new Date("2026-06-01T12:00:00Z");
    const range = { from, to: new Date(from.getTime() + 2 * HOUR_MS), step: 3600 };
    const chart = async (
      metric: Parameters<typeof readTimeseries>[1]["metric"],
      groupBy?: "agent" | "action" | "outcome" | "policy",
    ) => {
      const series = await readTimeseries(ctx, { metric, ...range, ...(groupBy && { groupBy }) });
      return Object.fromEntries(series.map(({ label, values }) => [label, values]));
    };
    expect(await chart("decisions")).toEqual({ all: [3, 2] });
    expect(await chart("decisions", "action")).toEqual({ x: [3, 0], y: [0, 2] });
    expect(await chart("decisions", "outcome")).toEqual({ allow: [3, 0], deny: [0, 2] });
    expect(Object.values(await chart("decisions", "agent"))).toEqual([[3, 2]]);
    expect(await chart("decisions_changed_by_monitored", "outcome")).toEqual({ deny: [3, 0] });
    expect(await chart("policy_hits", "policy")).toEqual({ tools: [3, 0] });
    expect(await chart("policy_would_hits", "policy")).toEqual({ [trial]: [3, 0] });
    const minutes = { from, to: new Date(from.getTime() + HOUR_MS), step: 60 };
    const [line] = await readTimeseries(ctx, { metric: "decisions", ...minutes });
    expect(line?.values[34]).toBe(3);
  });
});
