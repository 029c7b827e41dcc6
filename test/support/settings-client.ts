import { expect } from "vitest";
import { type Answer, createClient } from "./client.ts";
import { cookieOf } from "./people.ts";
import type { TestServer } from "./server.ts";

/** Asks GraphQL as one caller. @returns the whole answer. */
export type Ask = (query: string, variables?: Record<string, unknown>) => Promise<Answer>;

/** Asks in a person's session. */
export function askBy(server: Pick<TestServer, "url">, session: string): Ask {
  return createClient(server.url, undefined, { cookie: cookieOf(session) }).graphql;
}

/** Calls a mutation for nothing but its effect. */
export function callMutation(ask: Ask, name: string, input: Record<string, unknown>): Promise<Answer> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  return ask(`mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`, { input });
}

/** What an answer without an error holds. */
// oxlint-disable-next-line typescript/no-explicit-any -- what an answer holds, each test says
export async function dataOf(answer: Promise<Answer>): Promise<any> {
  const { body } = await answer;
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** The code of an answer's first error; "" without one. */
export function graphqlCode({ body }: Answer): string {
  return body.errors?.[0].extensions.code ?? "";
}
