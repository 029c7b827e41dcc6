import { html } from "hono/html";
import { ERRORS } from "../../../../src/domain/kernel/errors.ts";
import { codeBlock } from "../code-block.ts";
import type { Guide } from "./guide.ts";

const PROBLEM = `HTTP/1.1 422 Unprocessable Entity
Content-Type: application/problem+json

{
  "type": "http://127.0.0.1:4000/problems/unknown-field",
  "title": "Unknown field",
  "status": 422,
  "detail": "titel: is unknown: did you mean title?",
  "code": "unknown_field",
  "field": "titel",
  "errors": [
    { "field": "titel", "detail": "is unknown: did you mean title?" },
    { "field": "title", "detail": "is required" }
  ],
  "request_id": "01a22250-4f4f-72cf-9f6d-2a12ad3f8dba"
}`;

const CLIENT = `import { ApiError } from "@agent-ops/client";

try {
  await client.send("POST /tasks/{id}/complete", { id, body: { lease_token, output } });
} catch (error) {
  if (error instanceof ApiError && error.code === "lease_lost") return; // Another agent has the task.
  throw error;
}`;

/** What errors look like, and all codes. */
export const ERROR_GUIDE: Guide = {
  id: "errors",
  title: "Errors",
  body: html`<p>
      Errors are problems of <a href="https://www.rfc-editor.org/rfc/rfc9457" rel="noreferrer">RFC 9457</a>.
      Programs decide by <code>code</code>, which stays; <code>detail</code> is for people, and for invalid
      input says which <code>field</code> is wrong and what it may be. <code>errors</code> has every wrong
      field. <code>request_id</code> is in the server's logs.
    </p>
    ${codeBlock("Response 422", PROBLEM)} ${codeBlock("TypeScript: errors of the client", CLIENT)}
    <p>
      400 means a request that can't be read, or a wrong parameter or header; 422, a body that breaks a rule;
      404, that there is nothing with this id in this workspace. A field that a body doesn't have is refused,
      and so is a parameter that a route doesn't have, except by the lists of messages, tasks, evaluation
      runs, commands, robots and missions. Repeat after 429, 503 and connections that broke, with the same
      <a href="#idempotency">Idempotency-Key</a>; everything else stays as it is until the request changes.
    </p>
    <details>
      <summary>All codes</summary>
      <div class="wide">
        <table>
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Code</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            ${Object.entries(ERRORS).map(
              ([code, { status, title }]) =>
                html`<tr id="error-${code}">
                  <td>${status}</td>
                  <td><code>${code}</code></td>
                  <td>${title}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>`,
};
