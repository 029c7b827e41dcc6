import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { RestApp } from "./face.ts";

/** The description of /api/v1, as OpenAPI 3.1. */
export type ApiDescription = ReturnType<RestApp["getOpenAPI31Document"]>;

type Html = ReturnType<typeof html>;
type Operation = NonNullable<NonNullable<ApiDescription["paths"]>[string]["get"]>;
type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
};

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#dcdfe4, #33383f); --soft: light-dark(#5b6472, #a2abb8); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; font: 16px/1.55 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 3rem; }
nav ul { columns: 18rem; padding-left: 1.1rem; } a { color: light-dark(#0b57d0, #8ab4f8); }
article { border-top: 1px solid var(--line); padding: 1rem 0; }
h3 { font: 600 1rem ui-monospace, monospace; margin: 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); } .wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); }
code, pre { font: .85rem/1.45 ui-monospace, monospace; } summary { cursor: pointer; }
pre { overflow: auto; max-height: 26rem; padding: .8rem; border: 1px solid var(--line); border-radius: .4rem; }
`;

/** The description as a page to read: no script, nothing from anywhere else. */
export function docsPage(document: ApiDescription): { html: Html; headers: Record<string, string> } {
  const operations = operationsOf(document);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const styleHash = createHash("sha256").update(STYLE).digest("base64");
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
          <style>
            ${raw(STYLE)}
          </style>
        </head>
        <body>
          <main>
            <h1>Agent Ops API</h1>
            ${paragraphs(document.info.description ?? "")}
            <p>For programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
            <nav aria-label="Routes">
              <ul>
                ${operations.map(({ id, method, path }) => html`<li><a href="#${id}">${method} ${path}</a></li>`)}
              </ul>
            </nav>
            ${sections}
          </main>
        </body>
      </html>`,
  };
}

type Listed = { id: string; method: string; path: string; tag: string; operation: Operation };

function operationsOf(document: ApiDescription): Listed[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    // Each item holds operations by their method and nothing else.
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      id: `${method}${path.replaceAll(/[^a-z_]+/g, "-")}`,
      method: method.toUpperCase(),
      path: `/api/v1${path}`,
      tag: operation.tags?.[0] ?? "Other",
      operation,
    })),
  );
}

function section(tag: string, operations: Listed[], document: ApiDescription): Html {
  const own = operations.filter((listed) => listed.tag === tag);
  return html`<section>
    <h2>${tag}</h2>
    ${own.map((listed) => article(listed, document))}
  </section>`;
}

function article({ id, method, path, operation }: Listed, document: ApiDescription): Html {
  const scopes = operation.security?.flatMap(({ bearer }) => bearer ?? []) ?? [];
  const person = operation.security?.some(({ session }) => session !== undefined) ?? false;
  const body = schemaIn(operation.requestBody);
  return html`<article id="${id}">
    <h3>${method} ${path}</h3>
    <p>${operation.summary}. ${operation.description ?? ""}</p>
    <p class="soft">
      ${scopes.length > 0 ? html`Scope <code>${scopes.join(", ")}</code>` : "Any credential."}
      ${person ? "Or a person who is logged in." : ""}
    </p>
    ${fields("Parameter", parametersOf(operation))}
    ${fields("Body", body === null ? {} : resolve(body, document))} ${answers(operation)}
  </article>`;
}

function answers(operation: Operation): Html {
  const rows = Object.entries(operation.responses ?? {}) as [
    string,
    { description: string; content?: unknown },
  ][];
  return html`<details>
    <summary>Answers</summary>
    <div class="wide">
      <table>
        ${rows.map(
          ([status, { description }]) =>
            html`<tr>
              <td><code>${status}</code></td>
              <td>${description}</td>
            </tr>`,
        )}
      </table>
    </div>
    ${rows.map(([status, { content }]) => exampleOf(status, content))}
  </details>`;
}

function exampleOf(status: string, content: unknown): Html {
  const json = (content as Record<string, { example?: unknown }> | undefined)?.["application/json"];
  if (json?.example === undefined) return html``;
  return html`<p class="soft">Such as, with ${status}:</p>
    <pre tabindex="0">${JSON.stringify(json.example, null, 2)}</pre>`;
}

function fields(title: string, { properties = {}, required = [] }: Schema): Html {
  const rows = Object.entries(properties);
  if (rows.length === 0) return html``;
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          <th>${title}</th>
          <th>Type</th>
          <th>What it is</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, schema]) =>
            html`<tr>
              <td><code>${name}</code>${required.includes(name) ? " (required)" : ""}</td>
              <td>${typeOf(schema)}</td>
              <td>${[rangeOf(schema), schema.description ?? ""].filter((text) => text !== "").join(". ")}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function parametersOf(operation: Operation): Schema {
  // Our routes declare every parameter in place.
  const parameters = (operation.parameters ?? []) as { name: string; required?: boolean; schema: Schema }[];
  return {
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function schemaIn(body: unknown): Schema | null {
  const { content } = (body ?? {}) as { content?: Record<string, { schema?: Schema }> };
  return content?.["application/json"]?.schema ?? null;
}

function resolve(schema: Schema, document: ApiDescription): Schema {
  const name = schema.$ref?.split("/").at(-1);
  if (name === undefined) return schema;
  return document.components?.schemas?.[name] ?? {};
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(" | ");
  const type = [schema.type ?? "any"].flat().join(" | ");
  return type === "array" && schema.items !== undefined
    ? `array of ${typeOf(schema.items)}`
    : (schema.format ?? type);
}

function rangeOf({ minimum, maximum, minLength, maxLength, pattern, default: fallback }: Schema): string {
  const parts = [
    minimum === undefined && maximum === undefined ? "" : `${minimum ?? ""} to ${maximum ?? ""}`,
    maxLength === undefined ? "" : `${minLength ?? 0} to ${maxLength} characters`,
    pattern ?? "",
    fallback === undefined ? "" : `default ${JSON.stringify(fallback)}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function paragraphs(text: string): Html[] {
  return text.split("\n\n").map((paragraph) => html`<p>${paragraph.replaceAll("`", "")}</p>`);
}
