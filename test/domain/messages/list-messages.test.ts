import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listMessages } from "../../../src/domain/messages/list-messages.ts";
import { countBlocks, explainList } from "../../support/explain-list.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

const CONTEXT = crypto.randomUUID();

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
  ctx = server.systemCtx((await server.createWorkspace()).workspaceId);
  await server.database.query(
    `INSERT INTO message (workspace_id, id, context_id, role, sender, kind, answered_by_id, parts, created_at)
     SELECT $1::uuid, gen_random_uuid(), CASE kind WHEN 'text' THEN $2::uuid ELSE gen_random_uuid() END, 'user',
       '{"type":"system","id":null,"name":"x"}', kind::message_kind, null, '[{"text":"x"}]', now() - n * interval '1 second'
     FROM generate_series(1, 10000) n, unnest(ARRAY['text', 'question', 'notice']) AS kind`,
    [ctx.workspaceId, CONTEXT],
  );
  await server.database.query("VACUUM ANALYZE message");
});

afterAll(() => server.close());

describe("listMessages", () => {
  it.each([{ kind: "notice" as const }, { unanswered: true }])(
    "finds none with %o in a context of 10,000, of 20,000 elsewhere, without reading them all",
    async (filter) => {
      const list = async (listening: Ctx) => listMessages(listening, {}, { contextId: CONTEXT, ...filter });
      expect((await list(ctx)).nodes).toEqual([]);
      expect(countBlocks(await explainList(server, ctx, list))).toBeLessThan(100);
    },
  );
});
