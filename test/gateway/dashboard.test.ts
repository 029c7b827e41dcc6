import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../../src/db/sql.ts";
import { NAMES } from "../../src/domain/agents/read-agent-names.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { cancelTask } from "../../src/domain/tasks/cancel-task.ts";
import { claimTask } from "../../src/domain/tasks/claim-task.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { listSubjectEvents } from "../../src/domain/event-log/list-subject-events.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { execute } from "../../src/schema/execute.ts";
import { graphql } from "../../src/schema/graphql.ts";
import { agentCtx } from "../support/agent-ctx.ts";
import { userCtx } from "../support/callers.ts";
import { createTestClient } from "../support/test-client.ts";
import { insertTestAgent, createAgentCommand, insertTestMission } from "../support/factories.ts";
import { type TestServer, startTestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function newWorkspace(): Promise<{ ctx: Ctx; apiKey: string }> {
  const { workspaceId, apiKey } = await server.createWorkspace();
  return { ctx: server.systemCtx(workspaceId), apiKey };
}

/** A viewer's context that records its statements. */
function createNotingCtx(ctx: Ctx): { viewer: Ctx; asked: string[] } {
  const asked: string[] = [];
  const viewer = userCtx(server, ctx.workspaceId, "viewer");
  const noted: Run = (statement, values) => {
    asked.push(statement.text);
    return ctx.read(statement, values);
  };
  return { viewer: { ...viewer, read: noted }, asked };
}

const Ticker = graphql(`
  query Ticker($after: Cursor) {
    eventsPage(after: $after) {
      events {
        type
        subjectLabel
        agentName
        actor {
          name
        }
      }
    }
  }
`);

describe("Event", () => {
  it("reads the names of subjects and agents of a whole page with one statement per type", async () => {
    const { ctx } = await newWorkspace();
    const after = Buffer.from(
      `v1.${(await ctx.db.workspaceHead.findFirstOrThrow({ where: {} })).epoch}.0`,
    ).toString("base64url");
    const agentId = await insertTestAgent(ctx);
    for (let n = 0; n < 3; n++) await createTask(ctx, { title: `Task ${n}`, assigneeAgentId: agentId });
    await insertTestMission(ctx, { title: "Bring it" });
    await createAgentCommand(ctx, agentId, { type: "agent.stop" });
    await sendMessage(ctx, { parts: [{ text: "Hello there" }] });
    const { viewer, asked } = createNotingCtx(ctx);
    const { eventsPage } = await execute(viewer, Ticker, { after });
    const rows = eventsPage.events.map(({ type, subjectLabel, agentName }) => [
      type,
      subjectLabel,
      agentName,
    ]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ["task.created", "Task 0", "An agent"],
        ["task.created", "Task 2", "An agent"],
        ["mission.created", "Bring it", null],
        ["agent_command.created", "agent.stop", "An agent"],
        ["message.created", "Hello there", null],
      ]),
    );
    expect(asked.filter((text) => text.includes("title AS label FROM task"))).toHaveLength(1);
    expect(asked.filter((text) => text === NAMES.text)).toHaveLength(1);
  });

  it("hides agents' names from credentials that may not read agents", async () => {
    const { ctx } = await newWorkspace();
    const id = await insertTestAgent(ctx);
    const task = await createTask(ctx, { title: "x", assigneeAgentId: id });
    const scopes = ["events:read", "tasks:read"] as const;
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId }, { scopes });
    const History = graphql(`
      query History($subject: ID!) {
        subjectEvents(subject: $subject) {
          type
          agentName
          subjectLabel
        }
      }
    `);
    const { subjectEvents } = await execute(agent, History, { subject: task.id });
    expect(subjectEvents).toEqual([{ type: "task.created", agentName: null, subjectLabel: "x" }]);
  });
});

describe("listSubjectEvents", () => {
  it("returns only the row's own events, newest first, page by page", async () => {
    const { ctx } = await newWorkspace();
    const task = await createTask(ctx, { title: "x" });
    await createTask(ctx, { title: "y" });
    await cancelTask(ctx, { id: task.id });
    const [last, ...rest] = await listSubjectEvents(ctx, { subjectId: task.id });
    expect([last?.type, ...rest.map(({ type }) => type)]).toEqual(["task.canceled", "task.created"]);
    const older = await listSubjectEvents(ctx, { subjectId: task.id, first: 1, beforeSeq: last?.seq ?? 0 });
    expect(older).toEqual(rest);
    const { ctx: other } = await newWorkspace();
    expect(await listSubjectEvents(other, { subjectId: task.id })).toEqual([]);
  });
});

describe("a board", () => {
  const Board = graphql(`
    query Board {
      tasks {
        nodes {
          title
          status
          startedAt
          claimedByAgent {
            name
          }
          assigneeAgent {
            handle
          }
          question {
            parts
          }
        }
      }
      taskCounts {
        total
        working
        inputRequired
      }
      agents(filter: { search: "An AGENT" }) {
        nodes {
          currentTasks {
            title
            status
          }
        }
      }
      agentCommands {
        nodes {
          agent {
            name
          }
        }
      }
    }
  `);

  it("reads holders and open questions without a statement per row", async () => {
    const { ctx } = await newWorkspace();
    const id = await insertTestAgent(ctx);
    const agent = agentCtx(server, { id, workspaceId: ctx.workspaceId });
    await createAgentCommand(ctx, id);
    for (const title of ["first", "second"]) {
      const task = await createTask(ctx, { title });
      const claim = await claimTask(agent, {});
      const leaseToken = claim?.lease.token ?? "";
      if (title === "second") continue;
      await sendMessage(agent, {
        kind: "question",
        taskId: task.id,
        leaseToken,
        parts: [{ text: "Which?" }],
      });
    }
    const { viewer, asked } = createNotingCtx(ctx);
    const { tasks, taskCounts, agents, agentCommands } = await execute(viewer, Board, {});
    expect(tasks.nodes.map(({ title, question }) => [title, question?.parts ?? null])).toEqual([
      ["second", null],
      ["first", [{ text: "Which?" }]],
    ]);
    expect(tasks.nodes[0]).toMatchObject({ claimedByAgent: { name: "An agent" }, assigneeAgent: null });
    expect(taskCounts).toEqual({ total: 2, working: 1, inputRequired: 1 });
    expect(agents.nodes).toHaveLength(1);
    expect(agents.nodes[0]?.currentTasks).toHaveLength(2);
    expect(agentCommands.nodes).toEqual([{ agent: { name: "An agent" } }]);
    expect(asked.length).toBeLessThanOrEqual(8);
  });
});

describe("POST /graphql", () => {
  it("rejects a timeseries out of range and names the field", async () => {
    const { apiKey } = await newWorkspace();
    const query = `query ($from: DateTime!, $to: DateTime!) {
      timeseries(metric: TASKS_CREATED, from: $from, to: $to, step: 1, groupBy: QUEUE) { values } }`;
    const range = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
    const { body } = await createTestClient(server.url, apiKey).graphql(query, range);
    expect(body.errors[0].extensions).toMatchObject({ code: "VALIDATION_FAILED", field: "step" });
  });

  it("allows 50 tasks, the whole overview and a chart in one request", async () => {
    const { apiKey } = await newWorkspace();
    const query = `{ overview(window: LAST_HOUR) { at tasks { byStatus { total } queues { name depth oldestAt } } }
      timeseries(metric: TASKS_FINISHED, from: "2026-01-01T00:00:00Z", to: "2026-01-01T01:00:00Z", step: 60, groupBy: STATUS) { key label values }
      tasks(first: 50) { nodes { id title question { id parts } claimedByAgent { name } } } }`;
    const { body } = await createTestClient(server.url, apiKey).graphql(query);
    expect(body.errors).toBeUndefined();
  });
});
