import type { GraphQLError, Source } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Ctx } from "../domain/kernel/context.ts";
import { runInTurn } from "../domain/kernel/turns.ts";
import { executeMetered } from "./execute-metered.ts";
import { createInvalidRequestError } from "./limits.ts";
import { shortenMessage } from "./mask-error.ts";
import { parseDocument } from "./parse-document.ts";
import type { OperationLimits } from "./operation-limits.ts";

/** The longest document, in characters. Parsed documents are cached with their text. */
const QUERY_LENGTH = 65_536;

/** Rejects documents that are too deep, too broad or too costly, and ends executions that exceed a limit. */
export function limitDocuments({
  admission,
  reading,
  rateLimit,
  takeTurn,
}: OperationLimits): Plugin<Ctx, Ctx> {
  return {
    onParams: ({ params, context, paramsHandler, setParamsHandler }) => {
      if (typeof params.query !== "string")
        throw createInvalidRequestError("The body must contain a `query`.");
      if (params.query.length > QUERY_LENGTH) {
        throw createInvalidRequestError(
          `The document is too long. At most ${QUERY_LENGTH} characters are allowed.`,
        );
      }
      // Parses, validates and starts the execution.
      setParamsHandler(async (payload) =>
        runInTurn<ReturnType<typeof paramsHandler>>(takeTurn, context.workspaceId, () =>
          paramsHandler(payload),
        ),
      );
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
        // Validation produces only GraphQLErrors.
        if (!valid) setResult((result as readonly GraphQLError[]).map((fault) => shortenMessage(fault)));
      };
    },
    // Over HTTP, one slow reader could fill the process's memory.
    onSubscribe: ({ setResultAndStopExecution }) =>
      setResultAndStopExecution({
        errors: [createInvalidRequestError("Subscriptions are served over WebSocket only.")],
      }),
    // After validation: fragments that use each other would make this loop forever.
    onExecute: async ({ args, executeFn, setExecuteFn, setResultAndStopExecution }) => {
      const rejection = await admission(args);
      if (rejection !== null) return setResultAndStopExecution({ errors: [rejection] });
      setExecuteFn((given) => executeMetered(given, executeFn, rateLimit));
    },
  };
}
