import { complexityFromQuery } from "@pothos/plugin-complexity";
import { type ExecutionArgs, GraphQLError, type ParseOptions, type Source } from "graphql";
import type { Plugin } from "graphql-yoga";

/** What a stranger's document may ask for at once. Our own documents are not held to it. */
export const DOCUMENT_LIMITS = { depth: 12, breadth: 500, complexity: 10_000 } as const;

/** A document of so many tokens is parsed and validated without overflowing the stack. */
export const DOCUMENT_TOKENS = 2000;

/** Refuses documents that are too deep, too broad or too costly, before anything of them runs. */
export function limitDocuments(): Plugin {
  return {
    onParams: ({ params }) => {
      if (typeof params.query !== "string") throw refused("The body must have a query.");
    },
    onParse: ({ parseFn, setParseFn }) =>
      setParseFn((source: string | Source, options?: ParseOptions): unknown =>
        parseFn(source, { ...options, maxTokens: DOCUMENT_TOKENS }),
      ),
    // Streams belong on a socket: over HTTP one reader that stalls would hold the process's memory.
    onSubscribe: ({ setResultAndStopExecution }) =>
      setResultAndStopExecution({ errors: [refused("Subscriptions are served over WebSocket only.")] }),
    // After validation: the sum would never end on fragments that spread each other.
    onExecute: ({ args, setResultAndStopExecution }) => {
      const refusal = costRefusal(args);
      if (refusal !== null) setResultAndStopExecution({ errors: [refusal] });
    },
  };
}

/** An operation that is about to be executed. */
export type Operation = ExecutionArgs & { contextValue: object };

/** Why an operation that is valid asks for too much, or null. */
export function costRefusal({
  schema,
  document,
  variableValues,
  contextValue,
}: Operation): GraphQLError | null {
  const variables = variableValues ?? {};
  const cost = complexityFromQuery(document, { schema, ctx: contextValue, variables });
  for (const [measure, limit] of Object.entries(DOCUMENT_LIMITS)) {
    // The limits have the names of the measures.
    const value = cost[measure as keyof typeof cost];
    if (value > limit) {
      return refused(`The document's ${measure} is ${value}; at most ${limit} is allowed.`);
    }
  }
  return null;
}

/** The status stands for every Accept: a fault of validation would be a 200 where plain JSON is asked for. */
function refused(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "INVALID_REQUEST", http: { status: 400 } } });
}
