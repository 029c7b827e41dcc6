import { html, raw } from "hono/html";
import type { ApiDescription } from "../openapi/api-description.ts";
import { type DescribedRoute, listRoutes } from "./described-route.ts";
import { SCRIPT, STYLE } from "./docs-assets.ts";
import { GUIDES } from "./guides/guides.ts";
import { routeArticle } from "./route-article.ts";
import { type DocsHtml, type DocsSchema, fieldList, prose, shapeId } from "./schema-fields.ts";

/** Routes of one tag. */
type Group = { name: string; about: string; routes: DescribedRoute[] };

/**
 * Renders the API description as one page: guides, every route with examples, and every named schema. Its script only
 * adds: search, buttons to copy, one language of the examples at a time.
 */
export async function docsPage(document: ApiDescription): Promise<string> {
  const groups = listGroups(document);
  const shapes = listShapes(document);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>Agent Ops API</title>
        ${inOnePiece("style", STYLE)}
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        ${navigation(groups, shapes)}
        <main id="main">
          <header>
            <h1>Agent Ops API</h1>
            <p>
              REST under <code>/api/v1</code>, described by <a href="openapi.json">openapi.json</a> (OpenAPI
              3.1). The same data is at <code>/graphql</code>: signed in, try it in the
              <a href="/graphql/explorer">explorer</a>.
            </p>
          </header>
          ${GUIDES.map(
            ({ id, title, body }) =>
              html`<section class="guide" id="${id}">
                <h2><a href="#${id}">${title}</a></h2>
                ${body}
              </section>`,
          )}
          ${groups.map((group) => groupSection(group, shapes))} ${shapesSection(shapes)}
        </main>
        ${inOnePiece("script", SCRIPT)}
      </body>
    </html>`;
  return String(await page);
}

/** An element whose text the browser hashes: nothing may be added to it. */
function inOnePiece(element: "style" | "script", text: string): DocsHtml {
  return raw(`<${element}>${text}</${element}>`);
}

function listGroups(document: ApiDescription): Group[] {
  const routes = listRoutes(document);
  return (document.tags ?? []).map(({ name, description = "" }) => ({
    name,
    about: description,
    routes: routes.filter(({ tag }) => tag === name),
  }));
}

function listShapes(document: ApiDescription): Record<string, DocsSchema> {
  return document.components?.schemas ?? {};
}

function navigation(groups: Group[], shapes: Record<string, DocsSchema>): DocsHtml {
  return html`<nav aria-label="Contents">
    <a class="brand" href="/">Agent Ops</a>
    <div class="search" hidden>
      <input
        type="search"
        id="search"
        aria-label="Search the API"
        placeholder="Search (press /)"
        autocomplete="off"
      />
      <p id="found" role="status"></p>
    </div>
    <details class="menu" open>
      <summary>Contents</summary>
      <div class="entries">
        ${entries(
          "Guides",
          GUIDES.map(({ id, title }) => entry(id, html`${title}`, title)),
        )}
        ${groups.map(({ name, routes }) => entries(name, routes.map(routeEntry)))}
        ${entries(
          "Schemas",
          Object.keys(shapes).map((name) => entry(shapeId(name), html`${name}`, name)),
        )}
      </div>
    </details>
  </nav>`;
}

function entries(title: string, items: DocsHtml[]): DocsHtml {
  return html`<section>
    <h2>${title}</h2>
    <ul>
      ${items}
    </ul>
  </section>`;
}

function routeEntry({ id, method, path, summary, scope }: DescribedRoute): DocsHtml {
  const shown = html`<span class="method ${method.toLowerCase()}">${method}</span> ${summary}`;
  return entry(id, shown, `${method} /api/v1${path} ${summary} ${scope ?? ""}`);
}

/** A link of the navigation, and what the search finds it by. */
function entry(id: string, shown: DocsHtml, words: string): DocsHtml {
  return html`<li data-words="${words.toLowerCase()}"><a href="#${id}">${shown}</a></li>`;
}

function groupSection({ name, about, routes }: Group, shapes: Record<string, DocsSchema>): DocsHtml {
  return html`<section class="group">
    <h2>${name}</h2>
    <p class="soft">${about}</p>
    ${routes.map((route) => routeArticle(route, (schema) => resolve(schema, shapes)))}
  </section>`;
}

function resolve(schema: DocsSchema, shapes: Record<string, DocsSchema>): DocsSchema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (shapes[name] ?? {});
}

function shapesSection(shapes: Record<string, DocsSchema>): DocsHtml {
  return html`<section class="group">
    <h2>Schemas</h2>
    ${Object.entries(shapes).map(
      ([name, schema]) =>
        html`<article id="${shapeId(name)}">
          <div class="text">
            <h3><a href="#${shapeId(name)}">${name}</a></h3>
            ${schema.description === undefined ? "" : html`<p>${prose(schema.description)}</p>`}
            ${(schema.anyOf ?? [schema]).map((one) => fieldList(one))}
          </div>
        </article>`,
    )}
  </section>`;
}
