import { saveEntity } from "../../src/domain/gateway-entities/save-entity.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { type GatewayScene, createGatewayScene } from "./gateway-scene.ts";
import type { TestAnswer } from "./test-client.ts";
import type { TestWorld } from "./test-world.ts";

/** What a workspace knows: properties by type and id, and its policies. */
export type Fixture = {
  entities: Record<string, Record<string, Record<string, unknown>>>;
  policies: PolicyRuleInput[];
};

/** A fresh workspace with one agent that may ask for others. */
export type AuthzenScene = GatewayScene & {
  /** Sends a request to /access/v1. */
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<TestAnswer>;
};

export async function createAuthzenScene(world: TestWorld, fixture: Fixture): Promise<AuthzenScene> {
  const scene = await createGatewayScene(world);
  for (const [type, entities] of Object.entries(fixture.entities)) {
    for (const [entityId, properties] of Object.entries(entities)) {
      await saveEntity(scene.ctx, { type, entityId, properties });
    }
  }
  for (const policy of fixture.policies) await createPolicy(scene.ctx, policy);
  return { ...scene, post: (path, body, headers) => scene.agent.post(`/access/v1/${path}`, body, headers) };
}

/** The names of a search's results, sorted. */
export function listResults({ status, body }: TestAnswer): { status: number; names: string[] } {
  const results: { id?: string; name?: string }[] = body.results ?? [];
  return { status, names: results.map(({ id, name }) => id ?? name ?? "").toSorted() };
}

/** The subjects, resources and policies of AuthZEN's certification scenario. */
export const CERTIFICATION: Fixture = {
  entities: {
    user: { alice: {}, bob: { role: "admin" } },
    record: { "record-1": { status: "active" }, "record-2": { status: "archived" } },
  },
  policies: [
    {
      ...{ name: "alice", effect: "allow", actions: ["read", "write"] },
      subjects: [{ type: "user", name: "alice" }],
      resources: [{ type: "record", name: "record-1" }],
      when: '!has(resource.properties.status) || resource.properties.status != "archived"',
    },
    {
      ...{ name: "bob", effect: "allow", actions: ["read"] },
      subjects: [{ type: "user", name: "bob" }],
      resources: [{ type: "record" }],
    },
    {
      ...{ name: "admins", effect: "allow", actions: ["write"] },
      subjects: [{ type: "user" }],
      resources: [{ type: "record" }],
      when: 'has(subject.properties.role) && subject.properties.role == "admin" && has(resource.properties.status) && resource.properties.status == "archived"',
    },
    {
      ...{ name: "soft delete", effect: "allow", actions: ["delete"] },
      subjects: [{ type: "user", name: "alice" }],
      resources: [{ type: "record", name: "record-1" }],
      when: "has(action.properties.soft) && action.properties.soft == true",
    },
  ],
};
