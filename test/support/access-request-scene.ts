import { expect } from "vitest";
import { grantApproval } from "../../src/domain/approvals/grant-approval.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { agentCtx } from "./agent-ctx.ts";
import { type AuthzenScene, createAuthzenScene } from "./authzen-scene.ts";
import { ALLOW, ASK, refund } from "./gateway-scene.ts";
import { openSessionCtx } from "./open-session-ctx.ts";
import { createPerson, beginTestSession } from "./people.ts";
import type { TestAnswer } from "./test-client.ts";
import type { TestWorld } from "./test-world.ts";

type Headers = Record<string, string>;

/** A workspace whose policies ask people about an agent's large refunds, by AuthZEN. */
export type AccessRequestScene = AuthzenScene & {
  /** An operator's context. */
  person: Ctx;
  /** The agent's. */
  self: Ctx;
  /** A refund by the agent, by default a large one. */
  ask: (args?: unknown, extra?: object) => ReturnType<typeof refund>;
  /** A refund with an approval. */
  withApproval: (approval: object, args?: unknown) => object;
  evaluate: (request?: object, headers?: Headers) => Promise<TestAnswer["body"]>;
  /** Evaluates. @returns what binds an access request to it. */
  deny: (request?: object) => Promise<{ evaluation_id: string; expires_at: string }>;
  /** Evaluates, and asks people. */
  submit: (request?: object, extra?: object, headers?: Headers) => Promise<TestAnswer>;
  /** Asks people and has one approve. @returns the `result.approval`. */
  approve: (request?: object) => Promise<{ id: string; approved_until: string }>;
};

export async function createAccessRequestScene(world: TestWorld): Promise<AccessRequestScene> {
  const authzen = await createAuthzenScene(world, { entities: {}, policies: [ALLOW, ASK] });
  const { agentId, post, ctx } = authzen;
  const { workspaceId } = ctx;
  const operator = await createPerson(world.server, workspaceId, { role: "operator" });
  // The workspace's only key, which has minted the token.
  const { lineageId } = await authzen.ctx.db.apiKey.findFirstOrThrow({ where: { workspaceId } });
  const scene: AccessRequestScene = {
    ...authzen,
    person: await openSessionCtx(world.server, await beginTestSession(world.server, operator)),
    self: agentCtx(world.server, { id: agentId, workspaceId }, { lineageId }),
    ask: (args, extra = {}) => refund(args, { subject: { type: "agent", id: agentId }, ...extra }),
    withApproval: (approval, args) => scene.ask(args, { context: { approval } }),
    evaluate: async (request = scene.ask(), headers) => {
      const { status, body } = await post("evaluation", request, headers);
      expect({ status, body }).toMatchObject({ status: 200 });
      return body;
    },
    deny: async (request) => {
      const { context } = await scene.evaluate(request);
      return { evaluation_id: context.evaluation_id, expires_at: context.access_request.expires_at };
    },
    submit: async (request = scene.ask(), extra = {}, headers = {}) =>
      post("requests", { ...request, denial: await scene.deny(request), ...extra }, headers),
    approve: async (request) => {
      const { body } = await scene.submit(request);
      await grantApproval(scene.person, { id: body.task.id });
      const read = await authzen.agent.get(`/access/v1/requests/${body.task.id}`);
      return read.body.result.approval;
    },
  };
  return scene;
}

/** The answer with a problem of access requests. */
export function accessProblem(type: string, status: number): object {
  const body = { type: `urn:openid:authzen:access-request:error:${type}`, status };
  return { status, body: { ...body, title: expect.any(String), detail: expect.any(String) } };
}
