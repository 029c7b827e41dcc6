import {
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  defaultFieldResolver,
  getNamedType,
  introspectionTypes,
  isInterfaceType,
  isLeafType,
  isObjectType,
} from "graphql";
import { countReadBytes } from "../domain/kernel/read-bytes.ts";

/**
 * Limits for the answer of one operation: values, characters in them, characters in the fields' arguments,
 * and the time since the start. An answer is written in one turn of the event loop: it may have one page of the largest
 * rows, which have 4 MiB, not two. Every field that uses a variable is charged for its whole value; one
 * request body's worth is always allowed.
 */
export const ANSWER_LIMITS = {
  fields: 60_000,
  characters: 6_291_456,
  given: 2_097_152,
  ms: 60_000,
} as const;

/**
 * A value that is selected again, by an alias, counts as so many: it is written in the same turn of the event loop, and
 * nobody needs it.
 */
const REPEATED = 3;

/** Counts the cost of one execution. */
export type Meter = {
  /** Called before each field is resolved. @throws if a limit is exceeded. */
  field: () => void;
  /** Called with each field's arguments, before it is resolved. @throws if a limit is exceeded. */
  given: (args: unknown) => void;
  /** Called with each value of the answer. @throws if a limit is exceeded. */
  value: (value: unknown) => void;
  /** Called with each row that was read for itself, not for a list. */
  row: (value: unknown) => void;
  /** The characters of the answer. */
  size: () => number;
  /** The limit that ended the execution; null if none did. */
  passed: () => string | null;
};

type Resolve = GraphQLFieldResolver<unknown, unknown>;

const meters = new WeakMap<object, Meter>();

/** Counts the cost of the execution with this context, and ends it when it exceeds a limit. */
export function startMeter(ctx: object): Meter {
  const latestMs = performance.now() + ANSWER_LIMITS.ms;
  let { fields, characters, given }: Record<"fields" | "characters" | "given", number> = ANSWER_LIMITS;
  let passed: GraphQLError | null = null;
  const values = createValuePrices();

  function checkLimits(): void {
    if (passed !== null) throw passed;
    if (fields < 0) passed = createLimitError(`more than ${ANSWER_LIMITS.fields} fields`);
    else if (characters < 0) passed = createLimitError(`more than ${ANSWER_LIMITS.characters} characters`);
    else if (given < 0)
      passed = createLimitError(`arguments of more than ${ANSWER_LIMITS.given} characters in all`);
    else if (performance.now() > latestMs)
      passed = createLimitError(`taken longer than ${ANSWER_LIMITS.ms / 1000} seconds`);
    if (passed !== null) throw passed;
  }

  const meter = {
    field: () => {
      fields--;
      checkLimits();
    },
    given: (args: unknown) => {
      given -= measureSize(args, given);
      checkLimits();
    },
    value: (value: unknown) => {
      characters -= values.price(value, characters);
      checkLimits();
    },
    row: (value: unknown) => countReadBytes(ctx, measureSize(value, ANSWER_LIMITS.characters)),
    size: () => ANSWER_LIMITS.characters - characters - values.surcharge(),
    passed: () => passed?.message ?? null,
  };
  meters.set(ctx, meter);
  return meter;
}

/** Prices the values of one execution. Each is measured once. */
function createValuePrices() {
  const sizes = new WeakMap<object, number>();
  let surcharge = 0;

  function price(value: unknown, limit: number): number {
    if (typeof value !== "object" || value === null) return measureSize(value, limit);
    const known = sizes.get(value);
    const size = known ?? measureSize(value, limit);
    sizes.set(value, size);
    if (known === undefined) return size;
    surcharge += size * (REPEATED - 1);
    return size * REPEATED;
  }

  /** What the prices are above the sizes. */
  return { price, surcharge: () => surcharge };
}

/**
 * All remaining fields throw this one error. It has a path, so graphql-js uses it as it is; otherwise it
 * would create an error with a stack for each field.
 */
function createLimitError(limit: string): GraphQLError {
  return new GraphQLError(limit, { path: [] });
}

/** The resolver of fields without their own, counted by the execution's meter. */
export const meteredDefault: Resolve = meterResolver(defaultFieldResolver, false);

/**
 * Makes every field report to the execution's meter, if there is one. Fields without a resolver report
 * through {@link meteredDefault}. Introspection fields are graphql-js' own objects, shared by all schemas.
 */
export function meterFields(schema: GraphQLSchema): void {
  const types = [...Object.values(schema.getTypeMap()), ...introspectionTypes];
  const fields = new Set<GraphQLField<unknown, unknown>>([
    ...types.flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : [])),
    ...[SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef],
  ]);
  for (const field of fields) {
    if (field.resolve !== undefined) field.resolve = meterResolver(field.resolve, field.args.length > 0);
  }
}

function meterResolver(resolve: Resolve, hasArguments: boolean): Resolve {
  return (source, args, ctx, info) => {
    const meter = typeof ctx === "object" && ctx !== null ? meters.get(ctx) : undefined;
    if (meter === undefined) return resolve(source, args, ctx, info);
    meter.field();
    if (hasArguments) meter.given(args);
    const value: unknown = resolve(source, args, ctx, info);
    const count = findCounter(info, meter);
    if (count === null) return value;
    return value instanceof Promise ? value.then((found) => tap(found, count)) : tap(value, count);
  };
}

/** Returns what counts a field's value: a leaf is answered, a row of a query was read. */
function findCounter({ returnType, parentType }: GraphQLResolveInfo, meter: Meter): Meter["value"] | null {
  const type = getNamedType(returnType);
  if (isLeafType(type)) return meter.value;
  return parentType.name === "Query" && isNode(type) ? meter.row : null;
}

function isNode(type: GraphQLNamedType): boolean {
  if (isInterfaceType(type)) return type.name === NODE;
  return isObjectType(type) && type.getInterfaces().some(({ name }) => name === NODE);
}

const NODE = "Node";

function tap(value: unknown, count: (value: unknown) => void): unknown {
  count(value);
  return value;
}

/** Approximates the characters of a value as JSON. Stops counting above the limit. */
function measureSize(value: unknown, limit: number): number {
  const waiting = [value];
  let size = 0;
  while (waiting.length > 0 && size <= limit) {
    const next = waiting.pop();
    size += measureScalar(next);
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) waiting.push(item);
      continue;
    }
    for (const [name, member] of Object.entries(next)) {
      size += name.length + 3;
      waiting.push(member);
    }
  }
  return size;
}

function measureScalar(value: unknown): number {
  if (typeof value === "string") return value.length + 3;
  return typeof value === "boolean" || value === null ? 5 : 8;
}
