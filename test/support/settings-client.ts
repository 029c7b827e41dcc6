import { expect } from "vitest";
import { type TestAnswer, createTestClient } from "./test-client.ts";
import { buildCookie } from "./people.ts";
import type { TestServer } from "./server.ts";

/** Sends GraphQL as one caller. @returns the whole response. */
export type Ask = (query: string, variables?: Record<string, unknown>) => Promise<TestAnswer>;

/** Sends GraphQL with a user's session. */
export function askBy(server: Pick<TestServer, "url">, session: string): Ask {
  return createTestClient(server.url, undefined, { cookie: buildCookie(session) }).graphql;
}

/** Runs a mutation for its effect only. */
export function callMutation(ask: Ask, name: string, input: Record<string, unknown>): Promise<TestAnswer> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return ask(`mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`, { input });
}

/** The data of a response without errors. */
// oxlint-disable-next-line typescript/no-explicit-any -- what an answer holds, each test says
export async function expectData(answer: Promise<TestAnswer>): Promise<any> {
  const { body } = await answer;
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** The code of a response's first error, or "". */
export function graphqlCode({ body }: TestAnswer): string {
  return body.errors?.[0].extensions.code ?? "";
}
