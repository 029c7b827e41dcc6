import { expect, it } from "vitest";
import type { Actor } from "../../src/domain/kernel/actor.ts";
import { createRecentRevocations } from "../../src/live/recent-revocations.ts";

const COUNT = 20_000;

function scimActor(id: string): Actor {
  return { type: "scim", id, name: id };
}

it("finds what was revoked of a caller, at a cost that hardly depends on what else was", () => {
  const recent = createRecentRevocations();
  const identifiedAtMs = performance.now();
  for (let at = 0; at < COUNT; at++)
    recent.note([{ kind: "scim_token", subjectId: `token-${at}`, reason: "revoked" }]);
  const find = (id: string) =>
    recent.findCredentialError({ actor: scimActor(id), workspaceId: "w", identifiedAtMs }, true);
  const started = process.cpuUsage();
  let found = 0;
  for (let at = 0; at < COUNT; at++) if (find("another") !== null) found++;
  const { user, system } = process.cpuUsage(started);
  expect(found).toBe(0);
  expect(user + system).toBeLessThan(1_000_000);
  expect(find("token-7")).toMatchObject({ code: "invalid_token" });
});
