import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { type DocsHtml, type DocsSchema, membersTable, prose, shapeId, renderType } from "./docs-schema.ts";
import type { RestApp } from "../shared/rest-app.ts";

/** The OpenAPI 3.1 document of /api/v1. */
export type ApiDescription = ReturnType<RestApp["getOpenAPI31Document"]>;

type Operation = NonNullable<NonNullable<ApiDescription["paths"]>[string]["get"]>;

const BASE = "/api/v1";

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #33383f); --soft: light-dark(#5b6472, #a2abb8); }
* { box-sizing: border-box; }
html { color: light-dark(#1c1f24, #e6e8eb); background: light-dark(#fff, #16181c); }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; font: 16px/1.55 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 3rem; }
nav ul { columns: 18rem; padding-left: 1.1rem; overflow-wrap: anywhere; } a { color: light-dark(#0b57d0, #8ab4f8); }
article { border-top: 1px solid var(--line); padding: 1rem 0; }
h3 { font: 600 1rem ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); } .wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; min-width: 4rem; }
th, .must { white-space: nowrap; }
code, pre { font: .85rem/1.45 ui-monospace, monospace; } summary { cursor: pointer; }
pre { overflow: auto; max-height: 26rem; padding: .8rem; border: 1px solid var(--line); border-radius: .4rem; }
`;

/** Renders the API description as a page without scripts or external resources. */
export function docsPage(document: ApiDescription): { html: DocsHtml; headers: Record<string, string> } {
  const operations = listOperations(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const styleHash = createHash("sha256").update(STYLE).digest("base64");
  // In one piece, because the browser hashes everything between the tags.
  const style = raw(`<style>${STYLE}</style>`);
  const sections = tags.map((tag) => section(tag, operations, document));
  return {
    headers: {
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
    },
    html: html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Agent Ops API</title>
          ${style}
        </head>
        <body>
          <main>
            <h1>Agent Ops API</h1>
            ${paragraphs(document.info.description ?? "")}
            <p>Machine-readable: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
            <nav aria-label="Routes">
              <ul>
                ${operations.map(({ id, method, path }) => html`<li><a href="#${id}">${method} ${path.slice(BASE.length)}</a></li>`)}
              </ul>
            </nav>
            ${sections} ${shapesSection(document)}
          </main>
        </body>
      </html>`,
  };
}

type Listed = { id: string; method: string; path: string; tag: string; operation: Operation };

function listOperations(document: ApiDescription): Listed[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    // Each item holds operations by method and nothing else.
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      id: `${method}${path.replaceAll(/[^a-z_]+/g, "-")}`,
      method: method.toUpperCase(),
      path: BASE + path,
      tag: operation.tags?.[0] ?? "Other",
      operation,
    })),
  );
}

function section(tag: string, operations: Listed[], document: ApiDescription): DocsHtml {
  const own = operations.filter((listed) => listed.tag === tag);
  return html`<section>
    <h2>${tag}</h2>
    ${own.map((listed) => article(listed, document))}
  </section>`;
}

function article({ id, method, path, operation }: Listed, document: ApiDescription): DocsHtml {
  const body = getContent(operation.requestBody);
  const shape = resolve(body?.schema ?? {}, document);
  return html`<article id="${id}">
    <h3>${method} ${path}</h3>
    <p>${prose(`${operation.summary}. ${operation.description ?? ""}`)}</p>
    <p class="soft">${describeCallers(operation)}</p>
    ${membersTable("Parameter", toParameterSchema(operation))} ${membersTable("Body", shape)}
    ${shape.description === undefined ? "" : html`<p>${prose(shape.description)}</p>`}
    ${example("Example:", body?.example)} ${answersSection(operation)}
  </article>`;
}

function describeCallers({ security = [] }: Operation): DocsHtml {
  const bearer = security.find((one) => "bearer" in one)?.["bearer"];
  const isPersons = security.some((one) => "session" in one);
  if (bearer === undefined) return html`Requires a user session.`;
  return html`${bearer.length > 0 ? html`Requires the scope <code>${bearer.join(", ")}</code>.` : "Any credential is accepted."}
  ${isPersons ? "Or a user session." : ""}`;
}

function answersSection(operation: Operation): DocsHtml {
  // Our routes declare all responses inline.
  const rows = Object.entries(operation.responses ?? {}) as [string, Answer][];
  const shown = rows.map(([status, answer]) => ({ status, answer, content: getContent(answer) }));
  return html`<details>
    <summary>Responses</summary>
    <div class="wide">
      <table>
        ${shown.map(
          ({ status, answer }) =>
            html`<tr>
              <td><code>${status}</code></td>
              <td>${prose(answer.description)}</td>
            </tr>`,
        )}
      </table>
    </div>
    ${shown.map(({ status, content }) =>
      content === undefined
        ? ""
        : html`${answerShape(status, content.schema)} ${example(`Example for ${status}:`, content.example)}`,
    )}
  </details>`;
}

type Content = { schema: DocsSchema; example?: unknown };
type Answer = { description: string };

function answerShape(status: string, schema: DocsSchema): DocsHtml {
  if (schema.properties !== undefined) return membersTable(`Answer ${status}`, schema);
  return html`<p>Answer ${status}: ${renderType(schema)}</p>`;
}

function example(title: string, value: unknown): DocsHtml {
  if (value === undefined) return html``;
  return html`<p class="soft">${title}</p>
    <pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
}

/** The JSON content of a request body or response. */
function getContent(holder: unknown): Content | undefined {
  // Our routes declare bodies inline.
  return (holder as { content?: Record<string, Content> } | undefined)?.content?.["application/json"];
}

function toParameterSchema(operation: Operation): DocsSchema {
  // Our routes declare all parameters inline.
  const parameters = (operation.parameters ?? []) as {
    name: string;
    required?: boolean;
    description?: string;
    schema: DocsSchema;
  }[];
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [
        name,
        description === undefined ? schema : { ...schema, description },
      ]),
    ),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function resolve(schema: DocsSchema, document: ApiDescription): DocsSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (getShapes(document)[name] ?? {});
}

function getShapes(document: ApiDescription): Record<string, DocsSchema> {
  return document.components?.schemas ?? {};
}

function shapesSection(document: ApiDescription): DocsHtml {
  return html`<section>
    <h2>Schemas</h2>
    ${Object.entries(getShapes(document)).map(
      ([name, schema]) =>
        html`<article id="${shapeId(name)}">
          <h3>${name}</h3>
          <p>${prose(schema.description ?? "")}</p>
          ${(schema.anyOf ?? [schema]).map((one) => membersTable("Field", one))}
        </article>`,
    )}
  </section>`;
}

function paragraphs(text: string): DocsHtml[] {
  return text.split("\n\n").map((paragraph) => html`<p>${prose(paragraph)}</p>`);
}
