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
import { createHttpError } from "./mask-error.ts";

/** What a stranger's document may ask for at once. Our own documents are not held to it. */
export const DOCUMENT_LIMITS = { depth: 12, breadth: 500, complexity: 10_000 } as const;

/** So much complexity counts as one more request. */
const COMPLEXITY_PER_REQUEST = 200;
/** Operations a second of one workspace that ask for the schema itself, which is the same for everybody. */
const INTROSPECTIONS_PER_SECOND = 2;

/** An operation that is valid and about to be executed. */
export type GraphqlOperation = ExecutionArgs & { contextValue: Ctx };

/** Charges an operation to its caller before anything of it runs. @returns why it is refused, or null. */
export type Admission = (operation: GraphqlOperation) => Promise<GraphQLError | null>;

/** Makes the admission of operations on this node. */
export function createAdmission(rateLimit: RateLimit): Admission {
  const introspections = createRateLimit(INTROSPECTIONS_PER_SECOND);
  return async (operation) => {
    const { document, contextValue: ctx } = operation;
    const chosen = getOperationAST(document, operation.operationName);
    if (!chosen)
      return createInvalidRequestError("The document does not have this operation, or has several.");
    requireVariables(operation, chosen);
    const cost = measureCost(operation, chosen);
    const rejection = findCostError(cost);
    if (rejection !== null) return rejection;
    if (hasIntrospection(document) && !(await introspections(ctx.workspaceId)).allowed) {
      return createRateLimitError(
        `A workspace may ask for the schema ${INTROSPECTIONS_PER_SECOND} times a second.`,
      );
    }
    const requests = Math.floor(cost.complexity / COMPLEXITY_PER_REQUEST);
    if (requests === 0) return null;
    const { allowed } = await rateLimit(credentialId(ctx.actor) ?? "", requests);
    return allowed ? null : createRateLimitError("Too much was asked for in this second.");
  };
}

type Cost = Record<keyof typeof DOCUMENT_LIMITS, number>;

/**
 * Each fault of a value is told with the whole value, so only the first is looked for.
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

/** Of a document with several operations the library weighs the first, whichever is executed. */
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
    // The limits have the names of the measures.
    const value = cost[measure as keyof typeof cost];
    if (value > limit) {
      return createInvalidRequestError(`The document's ${measure} is ${value}; at most ${limit} is allowed.`);
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

function createRateLimitError(message: string): GraphQLError {
  return createHttpError("rate_limited", message, { "retry-after": "1" });
}

/** The status stands for every Accept: a fault of validation would be a 200 where plain JSON is asked for. */
export function createInvalidRequestError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "INVALID_REQUEST", http: { status: 400 } } });
}
