import {
  GraphQLError,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  defaultFieldResolver,
  getNamedType,
  introspectionTypes,
  isLeafType,
  isObjectType,
} from "graphql";

/**
 * What the answer to one operation may cost: values, characters in them, characters in the arguments of its fields, and
 * the time from its beginning. Each field that has a variable's value reads all of it; what a whole body holds may be
 * given once, whatever it is.
 */
export const ANSWER_LIMITS = {
  fields: 60_000,
  characters: 16_777_216,
  given: 2_097_152,
  ms: 60_000,
} as const;

/** Counts what one execution resolves. */
export type Meter = {
  /** Told of each field before it is resolved. @throws once a limit is passed. */
  field: () => void;
  /** Told of the arguments that a field is given, before it is resolved. @throws once a limit is passed. */
  given: (args: unknown) => void;
  /** Told of each value that the answer holds. @throws once a limit is passed. */
  value: (value: unknown) => void;
  /** Why the execution was ended; null where it was not. */
  passed: () => string | null;
};

type Resolve = GraphQLFieldResolver<unknown, unknown>;

const meters = new WeakMap<object, Meter>();

/** Counts what the execution with this context resolves, and ends it where it passes a limit. */
export function startMeter(ctx: object): Meter {
  const latestMs = performance.now() + ANSWER_LIMITS.ms;
  let { fields, characters, given }: Record<"fields" | "characters" | "given", number> = ANSWER_LIMITS;
  let passed: GraphQLError | null = null;

  function hold(): void {
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
      hold();
    },
    given: (args: unknown) => {
      given -= measureSize(args, given);
      hold();
    },
    value: (value: unknown) => {
      characters -= measureSize(value, characters);
      hold();
    },
    passed: () => passed?.message ?? null,
  };
  meters.set(ctx, meter);
  return meter;
}

/**
 * Every field that is left throws the same error. It has a path, so that graphql-js takes it as it is: of any other it
 * makes one for each field, with a stack.
 */
function createLimitError(limit: string): GraphQLError {
  return new GraphQLError(limit, { path: [] });
}

/** Resolves a field that has no resolver of its own, under the execution's meter. */
export const meteredDefault: Resolve = meterResolver(defaultFieldResolver, false);

/**
 * Has every field tell the meter of its execution, where there is one. Fields without a resolver of their own
 * tell it through {@link meteredDefault}. The fields of introspection are the library's own and the same for every
 * schema.
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
    if (!isLeafType(getNamedType(info.returnType))) return value;
    return value instanceof Promise
      ? value.then((found) => countValue(meter, found))
      : countValue(meter, value);
  };
}

function countValue(meter: Meter, value: unknown): unknown {
  meter.value(value);
  return value;
}

/** About the characters of a value as JSON; no more is counted than it takes to pass the limit. */
function measureSize(value: unknown, limit: number): number {
  const waiting = [value];
  let size = 0;
  while (waiting.length > 0 && size <= limit) {
    const next = waiting.pop();
    size += typeof next === "string" ? next.length + 3 : 8;
    if (typeof next !== "object" || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (!Array.isArray(next)) size += name.length + 3;
      waiting.push(member);
    }
  }
  return size;
}
