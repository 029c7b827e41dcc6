import { html } from "hono/html";
import { ERRORS } from "../../../src/domain/kernel/errors.ts";
import { codeBlock } from "./code-block.ts";
import { type Answer, type DescribedRoute, getJson } from "./described-route.ts";
import { writeSamples } from "./route-samples.ts";
import { type DocsHtml, type DocsSchema, fieldList, prose, renderType } from "./schema-fields.ts";
import { writeLiteral } from "./write-literal.ts";

/** Finds a named schema. */
type Resolve = (schema: DocsSchema) => DocsSchema;

/** Headers of every response, which the guides describe. */
const EVERYWHERE = new Set(["X-Request-Id", "RateLimit", "RateLimit-Policy", "WWW-Authenticate"]);

const PLACES = [
  ["path", "In the path"],
  ["query", "Query parameters"],
  ["header", "Headers"],
] as const;

/** One route: what it does, who may call it, what it takes and answers, with examples beside. */
export function routeArticle(route: DescribedRoute, resolve: Resolve): DocsHtml {
  const { id, method, path, summary } = route;
  return html`<article id="${id}">
    <div class="text">
      <h3><a href="#${id}">${summary}</a></h3>
      <p class="route">
        <span class="method ${method.toLowerCase()}">${method}</span> <code>/api/v1${path}</code>
      </p>
      ${route.description === "" ? "" : html`<p>${prose(route.description)}</p>`}
      ${PLACES.map(([place, title]) => parameterSection(route, place, title))} ${bodySection(route, resolve)}
      ${route.answers.filter(([status]) => status < "300").map(([status, answer]) => answerSection(status, answer, resolve))}
      ${errorSection(route)}
    </div>
    <div class="samples">${sampleBlocks(route)}</div>
  </article>`;
}

function parameterSection({ parameters }: DescribedRoute, place: string, title: string): DocsHtml {
  const own = parameters.filter((one) => one.in === place);
  if (own.length === 0) return html``;
  const properties = own.map(({ name, description, schema }): [string, DocsSchema] => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  const required = own.filter((one) => one.required === true).map(({ name }) => name);
  return html`<h4>${title}</h4>
    ${fieldList({ properties: Object.fromEntries(properties), required })}`;
}

function bodySection({ body }: DescribedRoute, resolve: Resolve): DocsHtml {
  if (body === undefined) return html``;
  const shape = resolve(body.schema);
  return html`<h4>Body</h4>
    ${shape.description === undefined ? "" : html`<p>${prose(shape.description)}</p>`}
    ${Object.keys(shape.properties ?? {}).length === 0 ? html`<p>${renderType(body.schema)}, without fields of its own.</p>` : fieldList(shape)}`;
}

function answerSection(status: string, answer: Answer, resolve: Resolve): DocsHtml {
  const { headers = {} } = answer;
  const content = getJson(answer);
  const named = Object.keys(headers).filter((name) => !EVERYWHERE.has(name));
  const shape =
    content === undefined ? {} : content.schema.$ref === undefined ? content.schema : resolve(content.schema);
  return html`<h4>Response ${status}</h4>
    <p>
      ${prose(answer.description)}.${content?.schema.$ref === undefined ? "" : html` ${renderType(content.schema)}:`}
    </p>
    ${fieldList(shape)}
    ${named.length === 0 ? "" : html`<p class="soft">Headers: ${prose(named.map((name) => `\`${name}\``).join(", "))}.</p>`}`;
}

function errorSection({ answers }: DescribedRoute): DocsHtml {
  const errors = answers.filter(([status]) => status >= "300");
  return html`<details>
    <summary>Other responses</summary>
    <dl class="fields">
      ${errors.map(
        ([status, { description }]) =>
          html`<div>
            <dt><code>${status}</code></dt>
            <dd>${linkCodes(description)}</dd>
          </div>`,
      )}
    </dl>
  </details>`;
}

/** Text whose error codes link to the guide. */
function linkCodes(text: string): DocsHtml[] {
  return text.split("`").map((piece, index) => {
    if (index % 2 === 0) return html`${piece}`;
    return piece in ERRORS
      ? html`<a href="#error-${piece}"><code>${piece}</code></a>`
      : html`<code>${piece}</code>`;
  });
}

function sampleBlocks(route: DescribedRoute): DocsHtml {
  const { curl, typescript } = writeSamples(route);
  const answered = route.answers.flatMap(([status, answer]) => {
    const example = getJson(answer)?.example;
    return example === undefined ? [] : [codeBlock(`Response ${status}`, writeLiteral(example, "json"))];
  });
  return html`${codeBlock("curl", curl, "curl")} ${codeBlock("TypeScript", typescript, "typescript")}
  ${answered}`;
}
