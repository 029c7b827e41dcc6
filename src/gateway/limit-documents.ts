import type { GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Ctx } from "../domain/context.ts";
import { executeMetered } from "./execute-metered.ts";
import { type Admission, invalidRequest } from "./limits.ts";
import { withShortMessage } from "./mask-error.ts";
import { parseDocument } from "./parse-document.ts";

/** Refuses documents that are too deep, too broad or too costly, and ends executions that become so. */
export function limitDocuments(admission: Admission): Plugin<Ctx> {
  return {
    onParams: ({ params }) => {
      if (typeof params.query !== "string") throw invalidRequest("The body must have a query.");
    },
    onParse: ({ setParseFn }) => setParseFn(parseDocument),
    onValidate:
      () =>
      ({ valid, result, setResult }) => {
        // Validation makes no other errors.
        if (!valid) setResult((result as readonly GraphQLError[]).map((fault) => withShortMessage(fault)));
      },
    // Streams belong on a socket: over HTTP one reader that stalls would hold the process's memory.
    onSubscribe: ({ setResultAndStopExecution }) =>
      setResultAndStopExecution({
        errors: [invalidRequest("Subscriptions are served over WebSocket only.")],
      }),
    // After validation: the sum would never end on fragments that spread each other.
    onExecute: async ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
      const refusal = await admission(args);
      if (refusal !== null) return setResultAndStopExecution({ errors: [refusal] });
      setExecuteFn((given) => executeMetered(given, executeFn));
    },
  };
}
