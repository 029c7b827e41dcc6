import { GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Logger } from "pino";
import type { Ctx } from "../domain/kernel/context.ts";
import { DomainError, ERRORS, type ErrorCode } from "../domain/kernel/errors.ts";
import { findDomainError } from "../schema/find-domain-error.ts";

/** Characters of a message about what a caller sent. */
const MESSAGE_LENGTH = 500;

/** Masks the errors of an execution, and logs the bugs among them under their request. */
export function maskErrors(): Plugin<Ctx> {
  return {
    onExecute: ({ args }) => ({
      onExecuteDone: ({ result, setResult }) => {
        if (!("errors" in result) || result.errors === undefined) return;
        const { log } = args.contextValue;
        setResult({ ...result, errors: result.errors.map((error) => maskError(error, log)) });
      },
    }),
  };
}

/**
 * What a caller may see of an error: a refusal with its code, a fault of his document as graphql-js words
 * it, and of a bug nothing.
 */
export function maskError(error: unknown, log: Logger): GraphQLError {
  const place = error instanceof GraphQLError ? error : null;
  const domainError = findDomainError(error);
  if (domainError !== null) return toGraphqlError(domainError, place);
  if (place !== null && isOwnFault(place)) {
    return shortenMessage(place, { code: "INVALID_REQUEST", ...place.extensions });
  }
  log.error({ err: place?.originalError ?? error }, "a GraphQL request failed");
  return new GraphQLError("Something went wrong on our side.", {
    ...getErrorLocation(place),
    extensions: { code: "INTERNAL" },
  });
}

/** A refusal as GraphQL shows it. */
export function toGraphqlError(domainError: DomainError, place: GraphQLError | null = null): GraphQLError {
  const { code, message, details } = domainError;
  return new GraphQLError(message, {
    ...getErrorLocation(place),
    extensions: {
      code: code.toUpperCase(),
      status: ERRORS[code].status,
      type: `/problems/${code.replaceAll("_", "-")}`,
      ...(details.oldestCursor !== undefined && { oldestCursor: details.oldestCursor }),
      ...(details.field !== undefined && { field: details.field }),
      ...(details.errors !== undefined && { errors: details.errors }),
      ...(details.currentStatus !== undefined && { currentStatus: details.currentStatus }),
      ...(details.allowed !== undefined && { allowed: details.allowed }),
      ...(details.tokens !== undefined && { tokens: details.tokens }),
    },
  });
}

/** A refusal that has its own status over HTTP, although GraphQL answers it. */
export function createHttpError(
  code: ErrorCode,
  message: string,
  headers: Record<string, string> = {},
): GraphQLError {
  const { extensions } = toGraphqlError(new DomainError(code, message));
  return new GraphQLError(message, {
    extensions: { ...extensions, http: { status: ERRORS[code].status, headers } },
  });
}

/** A fault of a caller: graphql-js repeats what was sent, a name in each of a hundred errors or a whole value. */
export function shortenMessage(error: GraphQLError, extensions = error.extensions): GraphQLError {
  const { message } = error;
  const shown = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}…` : message;
  return new GraphQLError(shown, { ...getErrorLocation(error), extensions });
}

/** An error that graphql-js made itself has nothing behind it but other GraphQL errors. */
function isOwnFault({ originalError }: GraphQLError): boolean {
  if (originalError === undefined || originalError === null) return true;
  return originalError instanceof GraphQLError && isOwnFault(originalError);
}

function getErrorLocation(error: GraphQLError | null) {
  if (error === null) return {};
  const { nodes, source, positions, path } = error;
  return {
    ...(nodes !== undefined && { nodes }),
    ...(source !== undefined && { source }),
    ...(positions !== undefined && { positions }),
    ...(path !== undefined && { path }),
  };
}
