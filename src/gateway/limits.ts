import { complexityFromQuery } from "@pothos/plugin-complexity";
import {
  BREAK,
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  getOperationAST,
  getVariableValues,
  visit,
} from "graphql";
import { credentialId } from "../domain/kernel/actor.ts";
import type { Ctx } from "../domain/kernel/context.ts";
import { type RateLimit, createRateLimit } from "../http/rate-limit.ts";
import { countItems } from "./count-items.ts";
import { createHttpError } from "./mask-error.ts";

/** Limits on a client's document. Our own documents are exempt. */
export const DOCUMENT_LIMITS = { depth: 12, breadth: 500, complexity: 10_000 } as const;

/**
 * Items of the variables' lists together, as each takes a microsecond to coerce. The largest batch of results
 * has 500 with 32 scores each.
 */
const VARIABLE_ITEMS = 20_000;

/** This much complexity counts as one more request. */
const COMPLEXITY_PER_REQUEST = 200;
/** Introspection operations per second and workspace. The schema is the same for all. */
const INTROSPECTIONS_PER_SECOND = 2;

/** A validated operation before its execution. */
export type GraphqlOperation = ExecutionArgs & { contextValue: Ctx };

/** Charges an operation to its caller before it runs. @returns the error to answer with, or null. */
export type Admission = (operation: GraphqlOperation) => Promise<GraphQLError | null>;

/** Creates the admission of operations for this node. */
export function createAdmission(rateLimit: RateLimit): Admission {
  const introspections = createRateLimit(INTROSPECTIONS_PER_SECOND);
  return async (operation) => {
    const { document, contextValue: ctx } = operation;
    const chosen = getOperationAST(document, operation.operationName);
    if (!chosen)
      return createInvalidRequestError("Set `operationName` to exactly one operation of the document.");
    if (countItems(operation, chosen.variableDefinitions ?? []) > VARIABLE_ITEMS) {
      return createInvalidRequestError(
        `The lists of the variables can have at most ${VARIABLE_ITEMS} items in all.`,
      );
    }
    requireVariables(operation, chosen);
    const cost = measureCost(operation, chosen);
    const rejection = findCostError(cost);
    if (rejection !== null) return rejection;
    if (hasIntrospection(document) && !(await introspections(ctx.workspaceId)).allowed) {
      return createRateLimitError(
        `At most ${INTROSPECTIONS_PER_SECOND} introspection queries per second are allowed for a workspace. Try again in a second.`,
      );
    }
    const requests = Math.floor(cost.complexity / COMPLEXITY_PER_REQUEST);
    if (requests === 0) return null;
    const { allowed, headers } = await rateLimit(credentialId(ctx.actor) ?? "", requests);
    if (allowed) return null;
    const message = "Too many or too costly requests per second. Send fewer.";
    return createRateLimitError(message, headers["retry-after"]);
  };
}

type Cost = Record<keyof typeof DOCUMENT_LIMITS, number>;

/**
 * Stops at the first error, because each error message repeats the whole value.
 *
 * @throws {GraphQLError}
 */
function requireVariables(
  { schema, variableValues }: GraphqlOperation,
  chosen: OperationDefinitionNode,
): void {
  const { variableDefinitions = [] } = chosen;
  const { errors } = getVariableValues(schema, variableDefinitions, variableValues ?? {}, { maxErrors: 1 });
  if (errors?.[0] !== undefined) throw errors[0];
}

/** If there are several operations, the library measures the first, not the executed one. */
function measureCost(
  { schema, document, variableValues, contextValue }: GraphqlOperation,
  chosen: OperationDefinitionNode,
): Cost {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const weighed = { ...document, definitions: [chosen, ...fragments] };
  return complexityFromQuery(weighed, { schema, ctx: contextValue, variables: variableValues ?? {} });
}

function findCostError(cost: Cost): GraphQLError | null {
  for (const [measure, limit] of Object.entries(DOCUMENT_LIMITS)) {
    // The limits have the same names as the measures.
    const value = cost[measure as keyof typeof cost];
    if (value > limit) {
      return createInvalidRequestError(`The document's ${measure} is ${value}. At most ${limit} is allowed.`);
    }
  }
  return null;
}

function hasIntrospection(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field: ({ name }) => {
      found ||= name.value === "__schema" || name.value === "__type";
      return found ? BREAK : undefined;
    },
  });
  return found;
}

function createRateLimitError(message: string, retryAfter = "1"): GraphQLError {
  return createHttpError("rate_limited", message, { "retry-after": retryAfter });
}

/**
 * A GraphQL error with status 400. Without it, validation errors would be 200 for clients that accept plain
 * JSON.
 */
export function createInvalidRequestError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "INVALID_REQUEST", http: { status: 400 } } });
}
