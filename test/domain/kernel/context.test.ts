import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "../../../src/domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import type { Services } from "../../../src/domain/kernel/services.ts";
import { type AppendContent, append } from "../../../src/domain/kernel/events.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { userCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { watchLanes } from "../../support/watched-lanes.ts";

let quiet: QuietServices;
let workspaceId: string;

beforeAll(async () => {
  quiet = await openQuietServices();
  ({ workspaceId } = await quiet.createWorkspace());
});

afterAll(() => quiet.close());

const ONE = { name: "", text: "SELECT 1 AS one" };

/** The lanes in which a caller's work of each kind runs. */
async function listLanes(caller: Ctx): Promise<Record<string, string>> {
  const { services, lanes: used } = watchLanes(quiet.services);
  const ctx = openCtx(services, caller);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: crypto.randomUUID() } };
  const work = {
    read: () => ctx.read(ONE, []),
    "urgent read": () => ctx.read(ONE, [], "urgent"),
    write: () => ctx.run(ONE, []),
    transaction: () => ctx.transaction(async () => null),
    "urgent transaction": () => ctx.transaction(async () => null, "urgent"),
    list: () => ctx.db.task.findMany(),
    "look-up": () => ctx.db.task.findUnique({ where }),
    deletion: () => ctx.db.task.deleteMany({ where: { id: crypto.randomUUID() } }),
  };
  const lanes: Record<string, string> = {};
  for (const [what, run] of Object.entries(work)) {
    await run();
    lanes[what] = used.splice(0).join(" and ");
  }
  return lanes;
}

const inWorkspace = (actor: Actor): Ctx =>
  openCtx(quiet.services, { ...quiet.systemCtx(workspaceId), actor });

describe("the lanes of a caller", () => {
  it("are apart for reads, writes, urgent reads and urgent writes", async () => {
    const lanes = await listLanes(quiet.systemCtx(workspaceId));
    const { read, write, "urgent read": urgentRead, "urgent transaction": urgentWrite } = lanes;
    expect(new Set([read, write, urgentRead, urgentWrite]).size).toBe(4);
    expect(lanes).toMatchObject({ list: read, "look-up": read, deletion: write, transaction: write });
  });

  it("are not those of other kinds of callers or of other workspaces", async () => {
    const id = crypto.randomUUID();
    const another = (await quiet.createWorkspace()).workspaceId;
    const callers = [
      quiet.systemCtx(workspaceId),
      agentCtx(quiet, { id, workspaceId }),
      userCtx(quiet, workspaceId, "viewer"),
      quiet.systemCtx(another),
      agentCtx(quiet, { id, workspaceId: another }),
      userCtx(quiet, another, "viewer"),
    ];
    const all: string[] = [];
    for (const caller of callers) all.push(...new Set(Object.values(await listLanes(caller))));
    expect(new Set(all).size).toBe(4 * callers.length);
    expect(all).not.toContain("");
  });

  it("are shared by people and their identity provider, and by agents", async () => {
    const scim = inWorkspace({ type: "scim", id: crypto.randomUUID(), name: "SCIM" });
    const [viewer, owner] = [userCtx(quiet, workspaceId, "viewer"), userCtx(quiet, workspaceId, "owner")];
    const expected = await listLanes(viewer);
    expect(await listLanes(owner)).toEqual(expected);
    expect(await listLanes(scim)).toEqual(expected);
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    expect(await listLanes(agentCtx(quiet, { id: one, workspaceId }))).toEqual(
      await listLanes(agentCtx(quiet, { id: other, workspaceId })),
    );
  });
});

describe("a transaction's end", () => {
  /** How a transaction with this content notifies the nodes. */
  async function listNotices(content: Partial<AppendContent> | null): Promise<string[]> {
    const { live } = quiet.services;
    const notices: string[] = [];
    const watched: Services["live"] = {
      ...live,
      notifyCommit: (id, revoked) => {
        notices.push(`commit with ${revoked.length} revocations`);
        live.notifyCommit(id, revoked);
      },
      waitForAcknowledgement: () => {
        notices.push("wait");
        return live.waitForAcknowledgement();
      },
    };
    const ctx = openCtx({ ...quiet.services, live: watched }, quiet.systemCtx(workspaceId));
    await ctx.transaction(async (tx) => {
      if (content !== null) append(tx, { events: [], ...content });
    });
    return notices;
  }

  const subject = { subjectId: crypto.randomUUID() };
  const event = { type: "thing.made", subjectType: "thing", ...subject };
  const revocation = { kind: "api_key", reason: "test", ...subject } as const;

  it.each<[string, Partial<AppendContent> | null, string[]]>([
    ["nothing", null, []],
    ["an audit row", { audit: [{ action: "a.b", targetType: "a", targetId: "1" }] }, []],
    ["an event", { events: [event] }, ["commit with 0 revocations"]],
    ["a revocation", { revocations: [revocation] }, ["commit with 1 revocations", "wait"]],
  ])("with %s notifies as needed", async (_what, content, expected) => {
    expect(await listNotices(content)).toEqual(expected);
  });
});
