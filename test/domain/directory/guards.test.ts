import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import {
  patchDirectoryGroup,
  replaceDirectoryGroup,
} from "../../../src/domain/directory/change-directory-group.ts";
import {
  patchDirectoryUser,
  replaceDirectoryUser,
} from "../../../src/domain/directory/change-directory-user.ts";
import { createDirectoryGroup } from "../../../src/domain/directory/create-directory-group.ts";
import {
  deleteDirectoryAgent,
  patchDirectoryAgent,
  replaceDirectoryAgent,
} from "../../../src/domain/directory/change-directory-agent.ts";
import { createDirectoryAgent } from "../../../src/domain/directory/create-directory-agent.ts";
import { createDirectoryUser } from "../../../src/domain/directory/create-directory-user.ts";
import { deleteDirectoryGroup } from "../../../src/domain/directory/delete-directory-group.ts";
import { deleteDirectoryUser } from "../../../src/domain/directory/delete-directory-user.ts";
import { listDirectory } from "../../../src/domain/directory/list-directory.ts";
import { mapDirectoryGroup } from "../../../src/domain/directory/map-directory-group.ts";
import { readDirectoryResource } from "../../../src/domain/directory/read-resource.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;
let callers: Record<"agent" | "viewer" | "operator" | "admin" | "owner" | "scim" | "system", Ctx>;
let group: string;

beforeAll(async () => {
  server = await startTestServer();
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  const as = (actor: Ctx["actor"]) => openCtx(server.services, { ...ctx, actor });
  const id = crypto.randomUUID();
  const credential = {
    kind: "api_key",
    id,
    parent: { kind: "api_key", id: id },
    lineageId: id,
    expiresAt: null,
  } as const;
  callers = {
    agent: as({ type: "agent", id, name: "An agent", scopes: new Set(["agents:write"]), credential }),
    viewer: userCtx(server, workspaceId, "viewer"),
    operator: userCtx(server, workspaceId, "operator"),
    admin: userCtx(server, workspaceId, "admin"),
    owner: userCtx(server, workspaceId, "owner"),
    scim: as({ type: "scim", id, name: "SCIM" }),
    system: ctx,
  };
  group = (await createDirectoryGroup(ctx, { attributes: { displayName: "A group" } })).id;
});

afterAll(() => server.close());

const target = { id: crypto.randomUUID(), ifMatch: null };
const everything = {
  types: ["User"],
  where: null,
  sort: null,
  count: 1,
  startIndex: 1,
  cursor: null,
  members: false,
} as const;

const WRITES: [string, (caller: Ctx) => Promise<unknown>][] = [
  ["createDirectoryUser", (caller) => createDirectoryUser(caller, { attributes: {} })],
  ["replaceDirectoryUser", (caller) => replaceDirectoryUser(caller, target, {})],
  ["patchDirectoryUser", (caller) => patchDirectoryUser(caller, target, [])],
  ["deleteDirectoryUser", (caller) => deleteDirectoryUser(caller, target)],
  ["createDirectoryAgent", (caller) => createDirectoryAgent(caller, { attributes: {} })],
  ["replaceDirectoryAgent", (caller) => replaceDirectoryAgent(caller, target, {})],
  ["patchDirectoryAgent", (caller) => patchDirectoryAgent(caller, target, [])],
  ["deleteDirectoryAgent", (caller) => deleteDirectoryAgent(caller, target)],
  ["createDirectoryGroup", (caller) => createDirectoryGroup(caller, { attributes: {} })],
  ["replaceDirectoryGroup", (caller) => replaceDirectoryGroup(caller, target, {})],
  ["patchDirectoryGroup", (caller) => patchDirectoryGroup(caller, target, [])],
  ["deleteDirectoryGroup", (caller) => deleteDirectoryGroup(caller, target)],
];

describe.each(WRITES)("%s", (_name, write) => {
  it("allows only an identity provider and the system", async () => {
    for (const name of ["agent", "viewer", "operator", "admin", "owner"] as const) {
      expect(await getErrorCode(write(callers[name])), name).toBe("forbidden");
    }
    for (const name of ["scim", "system"] as const)
      expect(await getErrorCode(write(callers[name]))).not.toBe("forbidden");
  });
});

describe.each<[string, (caller: Ctx) => Promise<unknown>]>([
  ["listDirectory", (caller) => listDirectory(caller, everything)],
  [
    "readDirectoryResource",
    (caller) => readDirectoryResource(caller, { type: "Group", id: group, members: "all" }),
  ],
])("%s", (_name, read) => {
  it("allows only an identity provider, an admin and the system", async () => {
    for (const name of ["agent", "viewer", "operator"] as const)
      expect(await getErrorCode(read(callers[name])), name).toBe("forbidden");
    for (const name of ["admin", "owner", "scim", "system"] as const)
      expect(await getErrorCode(read(callers[name])), name).toBe("");
  });
});

describe("an id chosen by the caller", () => {
  it("can be used once", async () => {
    const id = crypto.randomUUID();
    const attributes = { displayName: "x", userName: `user ${id}` };
    expect((await createDirectoryGroup(ctx, { id, attributes })).id).toBe(id);
    expect(await getErrorCode(createDirectoryGroup(ctx, { id, attributes }))).toBe("id_conflict");
    expect((await createDirectoryUser(ctx, { id, attributes })).id).toBe(id);
    const other = { ...attributes, userName: "another" };
    expect(await getErrorCode(createDirectoryUser(ctx, { id, attributes: other }))).toBe("already_exists");
  });
});

describe("mapDirectoryGroup", () => {
  it("allows only an admin, and no identity provider", async () => {
    for (const name of ["agent", "viewer", "operator", "scim"] as const) {
      expect(await getErrorCode(mapDirectoryGroup(callers[name], group, "admin")), name).toBe("forbidden");
    }
    expect(await getErrorCode(mapDirectoryGroup(callers.admin, group, "operator"))).toBe("");
    expect((await mapDirectoryGroup(callers.admin, group, null)).role).toBeNull();
  });

  it("can't map to owner, and finds no unknown group", async () => {
    expect(await getErrorCode(mapDirectoryGroup(callers.owner, group, "owner"))).toBe("validation_failed");
    expect(await getErrorCode(mapDirectoryGroup(callers.owner, crypto.randomUUID(), "admin"))).toBe(
      "not_found",
    );
  });
});

describe("listDirectory", () => {
  it("validates the size and position of a page", async () => {
    for (const wrong of [
      { count: -1 },
      { count: 201 },
      { count: 1.5 },
      { startIndex: 0 },
      { startIndex: 0.5 },
    ]) {
      expect(await getErrorCode(listDirectory(ctx, { ...everything, ...wrong }))).toBe("validation_failed");
    }
    expect(
      await getErrorCode(
        listDirectory(ctx, { ...everything, sort: { path: ["nosuch"], descending: false } }),
      ),
    ).toBe("validation_failed");
  });
});
