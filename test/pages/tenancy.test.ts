import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestApp } from "../support/test-app.ts";
import {
  type PopulatedWorkspace,
  createPopulatedWorkspace,
  readRows,
} from "../support/populated-workspace.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";

let world: PageWorld;
let other: PopulatedWorkspace;

beforeAll(async () => {
  world = await openPageWorld();
  other = await createPopulatedWorkspace(world.server);
});

afterAll(async () => {
  await world.close();
});

/** Every page with an id in its path, with the id of another workspace's row. */
function foreignPages(): string[] {
  const ids: Record<string, string> = {
    "/settings/members": other.ids.user,
    "/settings/api-keys": other.ids.apiKey,
    "/settings/workloads": other.ids.workloadTrust,
    "/settings/webhooks": other.ids.webhookEndpoint,
  };
  const app = createTestApp(world.server.services);
  const paths = app.routes
    .map(({ path }) => path)
    .filter((path) => path.startsWith("/settings/") && path.endsWith("/:id"));
  return [...new Set(paths)].map((path) => {
    const folder = path.slice(0, -"/:id".length);
    return `${folder}/${ids[folder] ?? "a page that this walk does not know"}`;
  });
}

describe("a page with another workspace's id", () => {
  it("is not found, and posting to it changes nothing", async () => {
    const before = await readRows(world.server, other.workspaceId);
    const visitor = await world.enter("owner");
    expect(foreignPages()).toHaveLength(4);
    for (const path of foreignPages()) {
      const shown = await visitor.get(path);
      expect({ path, status: shown.status }).toEqual({ path, status: 404 });
      expect(shown.text).not.toContain(other.word);
      for (const act of [
        "role",
        "suspend",
        "unsuspend",
        "delete",
        "resend",
        "update",
        "rotate",
        "revoke",
        "disable",
        "enable",
        "test",
      ]) {
        const posted = await visitor.submit(path, { act, role: "viewer", name: "x", overlap: "0" });
        expect({ path, act, found: posted.status < 400 }).toEqual({ path, act, found: false });
        expect(posted.text).not.toContain(other.word);
      }
    }
    expect(await readRows(world.server, other.workspaceId)).toEqual(before);
  });

  it("is in no list", async () => {
    const visitor = await world.enter("owner");
    for (const path of [
      "members",
      "api-keys",
      "agent-tokens",
      "socket-tokens",
      "scim",
      "audit",
      "security",
      "workspace",
      "webhooks",
    ]) {
      const shown = await visitor.get(`/settings/${path}`);
      expect({ path, status: shown.status }).toEqual({ path, status: 200 });
      expect(shown.text).not.toContain(other.word);
    }
  });
});
