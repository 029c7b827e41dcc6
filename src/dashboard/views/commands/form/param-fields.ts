import { parseJson } from "./parse-json.ts";

/** A form field for one param. */
export type ParamField = {
  name: string;
  kind: "text" | "number" | "choice" | "json";
  hint: string | null;
  isRequired: boolean;
  /** The options of a choice, as JSON. */
  choices: readonly string[];
  /** The declared default, as it would be entered. */
  initial: string;
};

type Schema = Readonly<Record<string, unknown>>;

/** Schema keywords that can't be shown as separate fields. Such params are entered as JSON. */
const WHOLE = ["$ref", "allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "dependentSchemas"];

/** Form fields for a params schema, or null if it needs JSON. */
export function toParamFields(schema: unknown): ParamField[] | null {
  if (!isSchema(schema) || WHOLE.some((word) => word in schema)) return null;
  const { properties, required, additionalProperties } = schema;
  if (!isSchema(properties)) return additionalProperties === false ? [] : null;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, property]) =>
    toField(name, isSchema(property) ? property : {}, needed.includes(name)),
  );
}

function toField(name: string, schema: Schema, isRequired: boolean): ParamField {
  const choices = listChoices(schema).map((choice) => JSON.stringify(choice));
  const kind = choices.length > 0 ? "choice" : getKind(schema);
  const { default: initial } = schema;
  return {
    name,
    kind,
    hint: buildHint(schema, kind),
    isRequired,
    choices,
    initial: formatTyped(initial, kind),
  };
}

function listChoices({ enum: values, type }: Schema): unknown[] {
  if (Array.isArray(values)) return values;
  return type === "boolean" ? [true, false] : [];
}

function getKind({ type }: Schema): ParamField["kind"] {
  if (type === "string") return "text";
  return type === "number" || type === "integer" ? "number" : "json";
}

function buildHint({ description, minimum, maximum }: Schema, kind: string): string | null {
  const range = [
    typeof minimum === "number" ? `at least ${minimum}` : null,
    typeof maximum === "number" ? `at most ${maximum}` : null,
  ].filter((part) => part !== null);
  const said = typeof description === "string" ? [description] : [];
  const parts = [
    ...said,
    ...(range.length > 0 ? [range.join(", ")] : []),
    ...(kind === "json" ? ["JSON."] : []),
  ];
  return parts.length === 0 ? null : parts.join(" · ");
}

function formatTyped(value: unknown, kind: ParamField["kind"]): string {
  if (value === undefined) return "";
  return kind === "text" && typeof value === "string" ? value : JSON.stringify(value);
}

/** Parsed params, and errors by field. */
export type ParsedParams = { params: Record<string, unknown>; problems: Record<string, string> };

/** Parses the fields. Empty ones are omitted. */
export function parseTypedParams(
  fields: readonly ParamField[],
  typed: Readonly<Record<string, string>>,
): ParsedParams {
  const result: ParsedParams = { params: {}, problems: {} };
  for (const { name, kind, initial } of fields) {
    const text = typed[name] ?? initial;
    if (text === "") continue;
    const parsed = kind === "text" ? ({ isValid: true, value: text } as const) : parseJson(text);
    if (parsed.isValid) result.params[name] = parsed.value;
    else result.problems[`params.${name}`] = parsed.problem;
  }
  return result;
}

/** Parses params entered as JSON. */
export function parseJsonParams(text: string): ParsedParams {
  const parsed = parseJson(text.trim() === "" ? "{}" : text);
  if (!parsed.isValid) return { params: {}, problems: { params: parsed.problem } };
  if (isSchema(parsed.value)) return { params: parsed.value, problems: {} };
  return { params: {}, problems: { params: 'Params must be a JSON object, such as {"speed": 2}.' } };
}

function isSchema(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
