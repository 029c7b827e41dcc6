import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestPerson } from "../../support/people.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import type { VisitedPage, TestVisitor } from "../support/test-visitor.ts";

let world: PageWorld;
let owner: TestVisitor & { person: TestPerson };

beforeAll(async () => {
  world = await openPageWorld();
  owner = await world.enter("owner");
  for (const name of ["One", "Two"]) await owner.submit("/settings", { name });
});

afterAll(() => world.close());

function actions({ text }: VisitedPage): string[] {
  return [...text.matchAll(/<a class="primary" href="\?action=([^"]*)"/g)].map(([, action = ""]) => action);
}

/** What people read of each. */
function words({ text }: VisitedPage): string[] {
  return [...text.matchAll(/<a class="primary" href="[^"]*"\s*>(.*?)<\/a/gs)].map(([, said = ""]) => said);
}

describe("/settings/audit", () => {
  it("lists entries, newest first", async () => {
    const page = await owner.get("/settings/audit");
    expect(actions(page).slice(0, 3)).toEqual(["user.updated", "user.updated", "session.created"]);
    expect(words(page).slice(0, 3)).toEqual(["User updated", "User updated", "Logged in"]);
    expect(page.text).toMatch(/<code>session\.<wbr \/>created<wbr \/><\/code>/);
    expect(page.text).toContain("from 127.0.0.1");
    expect(page.text).not.toContain("None");
  });

  it("filters by action, actor, target and time", async () => {
    expect(new Set(actions(await owner.get("/settings/audit?action=session.*")))).toEqual(
      new Set(["session.created"]),
    );
    const { id } = owner.person;
    expect(actions(await owner.get(`/settings/audit?actor=${id}`))).toHaveLength(3);
    expect(actions(await owner.get(`/settings/audit?target=${id}&action=user.updated`))).toHaveLength(2);
    expect(actions(await owner.get("/settings/audit?until=2001-01-01T00:00"))).toEqual([]);
    expect(actions(await owner.get("/settings/audit?since=2001-01-01T00:00")).length).toBeGreaterThan(2);
    expect(actions(await owner.get("/settings/audit?since=2001-01-01")).length).toBeGreaterThan(2);
  });

  it.each([
    ["actor", "nobody", "actorId"],
    ["action", "NO ACTION", "action"],
    ["since", "yesterday", "since"],
    ["until", "2026-13-45T99:99", "until"],
    ["until", "2026-02-30T00:00", "until"],
    ["since", "0000-01-01T00:00", "since"],
  ])("rejects an invalid %s at its field and keeps it", async (name, value, field) => {
    const refused = await owner.get(`/settings/audit?${new URLSearchParams({ [name]: value }).toString()}`);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(`id="${field}-error"`);
    expect(refused.text).toContain(`value="${value}"`);
    expect(refused.text).toMatch(/<details class="fold"\s+open/);
  });

  it("keeps the filter on every page", async () => {
    for (let change = 0; change < 26; change++) await owner.submit("/settings", { name: `Name ${change}` });
    const first = await owner.get("/settings/audit?action=user.*");
    const next = /href="(\?[^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(next).toContain("action=user");
    const second = await owner.get(`/settings/audit${next}`);
    const seqs = (page: VisitedPage) => [...page.text.matchAll(/#(\d+)</g)].map(([, seq]) => Number(seq));
    expect(seqs(first)).toHaveLength(25);
    expect(Math.max(...seqs(second))).toBeLessThan(Math.min(...seqs(first)));
  });
});
