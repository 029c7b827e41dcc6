import { html } from "hono/html";

/** A fragment of HTML. */
export type DocsHtml = ReturnType<typeof html>;

/** The subset of OpenAPI 3.1 schemas that our routes use. */
export type DocsSchema = {
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
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  default?: unknown;
  example?: unknown;
  items?: DocsSchema;
  properties?: Record<string, DocsSchema>;
  additionalProperties?: boolean | DocsSchema;
  required?: string[];
  anyOf?: DocsSchema[];
};

type Row = { name: string; isRequired: boolean; schema: DocsSchema };

/** A list of an object's fields, including nested ones. A named schema is shown as a link. */
export function fieldList(schema: DocsSchema): DocsHtml {
  const rows = listRows(schema, "");
  if (rows.length === 0) return html``;
  return html`<dl class="fields">
    ${rows.map(
      ({ name, isRequired, schema: member }) =>
        html`<div>
          <dt>
            <code>${name}</code> <span class="soft">${renderType(member)}${formatRange(member)}</span>
            ${isRequired ? html`<span class="must">required</span>` : ""}
          </dt>
          ${member.description === undefined ? "" : html`<dd>${prose(member.description)}</dd>`}
        </div>`,
    )}
  </dl>`;
}

/** Renders text with `code` in backticks. */
export function prose(text: string): DocsHtml[] {
  return text
    .split("`")
    .map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<code>${piece}</code>`));
}

/** The HTML id of a named schema. */
export function shapeId(name: string): string {
  return `shape-${name}`;
}

function listRows(schema: DocsSchema, prefix: string): Row[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([key, member]) => {
    const name = prefix + key;
    return [
      { name, isRequired: required.includes(key), schema: member },
      ...getVariants(member).flatMap((variant) => listNestedRows(variant, name)),
    ];
  });
}

function listNestedRows(schema: DocsSchema, name: string): Row[] {
  if (schema.properties !== undefined) return listRows(schema, `${name}.`);
  return schema.items === undefined ? [] : listNestedRows(schema.items, `${name}[]`);
}

function getVariants(schema: DocsSchema): DocsSchema[] {
  return schema.anyOf ?? [schema];
}

/** Describes a type. A named schema links to its table. */
export function renderType(schema: DocsSchema): DocsHtml {
  const { $ref, anyOf, items } = schema;
  const named = $ref?.split("/").at(-1);
  if (named !== undefined) return html`<a href="#${shapeId(named)}">${named}</a>`;
  if (anyOf !== undefined) {
    return html`${anyOf.map((one, index) => html`${index === 0 ? "" : " | "}${renderType(one)}`)}`;
  }
  if (schema.enum !== undefined)
    return html`${schema.enum.map((value) => JSON.stringify(value)).join(" | ")}`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  const types = [schema.type ?? "any"].flat();
  if (items === undefined || !types.includes("array")) return html`${plainType(types, schema.format)}`;
  return html`array of ${renderType(items)}${types.includes("null") ? " | null" : ""}`;
}

function plainType(types: string[], format: string | undefined): string {
  return types.map((type) => (type === "string" ? (format ?? type) : type)).join(" | ");
}

function formatRange(schema: DocsSchema): DocsHtml[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema;
  const parts = [
    formatSpan(minimum, maximum, ""),
    formatSpan(minLength, maxLength, " characters"),
    formatSpan(minItems, maxItems, " items"),
    formatSpan(undefined, schema.maxProperties, " members"),
    pattern === undefined ? "" : `\`${pattern}\``,
    schema.default === undefined ? "" : `default \`${JSON.stringify(schema.default)}\``,
  ];
  return prose(parts.flatMap((part) => (part === "" ? [] : [`, ${part}`])).join(""));
}

function formatSpan(from: number | undefined, to: number | undefined, unit: string): string {
  if (to === undefined) return from === undefined ? "" : `at least ${from}${unit}`;
  return from === undefined ? `at most ${to}${unit}` : `${from} to ${to}${unit}`;
}
