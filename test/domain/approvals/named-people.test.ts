import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findNamedPeople } from "../../../src/domain/approvals/find-named-people.ts";
import { explainAsked, recordStatements } from "../../support/recorded-statements.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const PEOPLE = 3000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

describe("findNamedPeople", () => {
  it("reads the named person alone of a large directory, by whichever name", async () => {
    const { workspaceId } = await server.createWorkspace();
    await server.database.query(
      `INSERT INTO "user" (workspace_id, id, email, user_name, external_id, role)
       SELECT $1::uuid, gen_random_uuid(), n || '@acme.example', 'name-' || n, 'okta-' || n, 'viewer'
       FROM generate_series(1, $2::int) n`,
      [workspaceId, PEOPLE],
    );
    await server.database.query(
      `INSERT INTO user_email (workspace_id, user_id, place, value)
       SELECT workspace_id, id, 0, 'home-' || email FROM "user" WHERE workspace_id = $1::uuid`,
      [workspaceId],
    );
    await server.database.query('VACUUM ANALYZE "user", user_email');
    const { services, asked } = recordStatements(server.services);
    const ctx = server.systemCtx(workspaceId);
    const tx = { ctx, run: services.database.run };
    for (const id of ["7@acme.example", "NAME-7 ", "Okta-7", "mailto:home-7@acme.example"]) {
      asked.length = 0;
      expect(await findNamedPeople(tx, { type: "user", id }), id).toHaveLength(1);
      const [one] = asked;
      if (one === undefined) throw new Error("no statement");
      for (const mode of ["custom", "generic"] as const) {
        const [root] = await explainAsked(server.database, one, mode);
        expect(root["Shared Hit Blocks"] + root["Shared Read Blocks"], `${id} ${mode}`).toBeLessThan(30);
      }
    }
  });
});
