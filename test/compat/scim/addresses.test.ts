import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdasWorld, createAdasWorld } from "../../support/scim-ada.ts";
import { URN, patchBody, userBody } from "../../support/scim-world.ts";

let world: AdasWorld;
let base: string;
/** The URLs of Ada, her group and the users she manages. */
let ada: string;
let group: string;
let minion: string;

beforeAll(async () => {
  world = await createAdasWorld();
  base = `${world.server.url}/scim/v2`;
  ada = `${base}/Users/${world.user.id}`;
  group = `${base}/Groups/${world.group.id}`;
  const made = await world.idp.post(
    "/Users",
    userBody({ [URN.enterprise]: { manager: { value: world.user.id } } }),
  );
  minion = made.body.meta.location;
});

afterAll(() => world.close());

/** The URLs of the users and groups that match a filter. */
async function found(filter: string): Promise<string[]> {
  const { status, body } = await world.idp.get(`/?filter=${encodeURIComponent(filter)}`);
  expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined });
  return listLocations(body);
}

/** Without the agent of the workspace's primary key. */
function listLocations({ Resources: resources }: { Resources: { meta: { location: string } }[] }): string[] {
  return resources.map(({ meta }) => meta.location).filter((location) => !location.includes("/Agents/"));
}

describe("a resource's URL", () => {
  it("can be used in filters", async () => {
    expect(await found(`meta.location eq "${ada}"`)).toEqual([ada]);
    expect(await found(`meta[location eq "${group}"]`)).toEqual([group]);
    expect(await found(`meta.location ew "${world.user.id}"`)).toEqual([ada]);
    expect(await found(`meta.location sw "${base}/Groups/"`)).toEqual([group]);
    expect(await found(`meta.location ne "${ada}" and not (meta.location sw "${base}/G")`)).toEqual([minion]);
    expect(await found(`meta.location eq "${ada.replace("Users", "Groups")}"`)).toEqual([]);
    expect(await found(`meta.location eq "https://elsewhere.example/Users/${world.user.id}"`)).toEqual([]);
    for (const filter of ["pr", 'sw "http"', 'co "/scim/v2"']) {
      expect(new Set(await found(`meta.location ${filter}`))).toEqual(new Set([ada, group, minion]));
    }
  });

  it("can be used in filters on references", async () => {
    expect(await found(`groups.$ref eq "${group}"`)).toEqual([ada]);
    expect(await found(`members[$ref eq "${ada}"]`)).toEqual([group]);
    expect(await found(`members.$ref eq "${minion}"`)).toEqual([]);
    expect(await found(`${URN.enterprise}:manager.$ref eq "${ada}"`)).toEqual([minion]);
    expect(await found(`${URN.enterprise}:manager.$ref pr`)).toEqual([minion]);
  });

  it("can be used for sorting", async () => {
    const { body } = await world.idp.get("/?sortBy=meta.location&sortOrder=descending");
    expect(listLocations(body)).toEqual([ada, group, minion].toSorted().toReversed());
  });

  it("can name the member to remove in a patch", async () => {
    const path = `/Groups/${world.group.id}`;
    const { body } = await world.idp.patch(
      path,
      patchBody({ op: "remove", path: `members[$ref eq "${minion}"]` }),
    );
    expect(body.members).toHaveLength(1);
    const gone = await world.idp.patch(path, patchBody({ op: "remove", path: `members[$ref eq "${ada}"]` }));
    expect(gone.body).not.toHaveProperty("members");
  });
});
