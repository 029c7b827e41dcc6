import { complexityFromQuery } from "@pothos/plugin-complexity";
import {
  type ASTVisitor,
  type ExecutionArgs,
  GraphQLError,
  OperationTypeNode,
  type ValidationContext,
} from "graphql";
import type { Plugin } from "graphql-yoga";

/** What a stranger's document may ask for at once. Our own documents are not held to it. */
export const DOCUMENT_LIMITS = { depth: 12, breadth: 500, complexity: 10_000 } as const;

/** Refuses documents that are too deep, too broad or too costly, before anything of them runs. */
export function limitDocuments(): Plugin {
  return {
    onValidate: ({ addValidationRule }) => addValidationRule(noSubscription),
    // After validation: the sum would never end on fragments that spread each other.
    onExecute: ({ args, setResultAndStopExecution }) => {
      // Envelop types what an executor gets as any; ours is graphql-js.
      const { schema, document, variableValues, contextValue } = args as ExecutionArgs & {
        contextValue: object;
      };
      const cost = complexityFromQuery(document, {
        schema,
        ctx: contextValue,
        variables: variableValues ?? {},
      });
      for (const [measure, limit] of Object.entries(DOCUMENT_LIMITS)) {
        const value = cost[measure as keyof typeof cost];
        if (value > limit) setResultAndStopExecution({ errors: [tooMuch(measure, value, limit)] });
      }
    },
  };
}

function tooMuch(measure: string, value: number, limit: number): GraphQLError {
  return new GraphQLError(`The document's ${measure} is ${value}; at most ${limit} is allowed.`, {
    extensions: { code: "INVALID_REQUEST", http: { status: 400 } },
  });
}

/** Streams belong on a socket: over HTTP one reader that stalls would hold the process's memory. */
function noSubscription(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition: (node) => {
      if (node.operation !== OperationTypeNode.SUBSCRIPTION) return;
      context.reportError(
        new GraphQLError("Subscriptions are served over WebSocket only.", {
          nodes: [node],
          extensions: { code: "INVALID_REQUEST", http: { status: 400 } },
        }),
      );
    },
  };
}
