import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MailgunApi, startMailgunApi } from "../../support/mailgun-api.ts";
import { createPerson, logInAs } from "../../support/people.ts";
import { type TestServer, startOn, startTestServer } from "../../support/server.ts";

const PASSWORDS = ["another shore at dusk", "a third harbour at noon"] as const;

let api: MailgunApi;
let first: TestServer;
let second: TestServer;

beforeAll(async () => {
  api = await startMailgunApi();
  const environment = {
    MAILGUN_API_KEY: "key-of-a-test",
    MAILGUN_DOMAIN: "mg.example.com",
    MAILGUN_BASE_URL: api.url,
    PUBLIC_BASE_URL: "http://ops.example.com",
  };
  first = await startTestServer(environment);
  second = await startOn(first.database, environment);
});

afterAll(async () => {
  await second.stop();
  await first.close();
  await api.close();
});

/** Submits a form like a browser without scripts. */
function post(server: TestServer, path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(server.url + path, {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
}

describe("a password reset on two nodes", () => {
  it("can be requested on one, and of two submissions on both, one succeeds", async () => {
    const { workspaceId } = await first.createWorkspace();
    const person = await createPerson(first, workspaceId);
    const known = await post(first, "/users/forgot-password", { "user[email]": person.email });
    const unknown = await post(second, "/users/forgot-password", { "user[email]": "nobody@example.com" });
    expect([known.status, unknown.status]).toEqual([200, 200]);
    expect(await known.text()).toBe(await unknown.text());
    await api.requested(1);
    const message = api.emails[0];
    expect(message?.to).toBe(person.email);
    expect(message?.form["text"]).toContain("http://ops.example.com/users/reset-password/");
    const path = `/users/reset-password/${message?.token}`;
    for (const server of [first, second, first]) expect((await fetch(server.url + path)).status).toBe(200);
    const answers = await Promise.all(
      [first, second].map((server, n) => {
        const password = PASSWORDS[n] ?? "";
        return post(server, path, { "user[password]": password, "user[password_confirmation]": password });
      }),
    );
    const winner = answers.findIndex(({ status }) => status === 303);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 303]);
    expect(await answers[1 - winner]?.text()).toContain("This link is no longer valid.");
    const logIns = PASSWORDS.map((password) => logInAs(second, { email: person.email, password }));
    const isIn = (await Promise.all(logIns)).map((session) => session !== null);
    expect(isIn).toEqual([winner === 0, winner === 1]);
    await api.requested(2);
    expect(api.emails[1]?.form["subject"]).toBe("Your password was changed");
  }, 60_000);
});
