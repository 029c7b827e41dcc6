import type { GraphQLError, Source } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Ctx } from "../domain/kernel/context.ts";
import { executeMetered } from "./execute-metered.ts";
import { type Admission, createInvalidRequestError } from "./limits.ts";
import { shortenMessage } from "./mask-error.ts";
import { parseDocument } from "./parse-document.ts";
import type { ReadingTime } from "./reading-time.ts";

/** So many characters of a document: what was read of it is remembered with its text. */
const QUERY_LENGTH = 65_536;

/** Refuses documents that are too deep, too broad or too costly, and ends executions that become so. */
export function limitDocuments(admission: Admission, reading: ReadingTime): Plugin<Ctx> {
  return {
    onParams: ({ params }) => {
      if (typeof params.query !== "string") throw createInvalidRequestError("The body must have a query.");
      if (params.query.length > QUERY_LENGTH) {
        throw createInvalidRequestError(`A document has at most ${QUERY_LENGTH} characters.`);
      }
    },
    onParse: ({ context, setParseFn }) =>
      setParseFn((source: string | Source) =>
        reading.spend(context.workspaceId, () => parseDocument(source)),
      ),
    onValidate: ({ context, validateFn, setValidationFn }) => {
      setValidationFn((...args: Parameters<typeof validateFn>) =>
        reading.spend(context.workspaceId, (): unknown => validateFn(...args)),
      );
      return ({ valid, result, setResult }) => {
        // Validation makes no other errors.
        if (!valid) setResult((result as readonly GraphQLError[]).map((fault) => shortenMessage(fault)));
      };
    },
    // Streams belong on a socket: over HTTP one reader that stalls would hold the process's memory.
    onSubscribe: ({ setResultAndStopExecution }) =>
      setResultAndStopExecution({
        errors: [createInvalidRequestError("Subscriptions are served over WebSocket only.")],
      }),
    // After validation: the sum would never end on fragments that spread each other.
    onExecute: async ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
      const rejection = await admission(args);
      if (rejection !== null) return setResultAndStopExecution({ errors: [rejection] });
      setExecuteFn((given) => executeMetered(given, executeFn));
    },
  };
}
