import { GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Logger } from "pino";
import type { Ctx } from "../domain/kernel/context.ts";
import { DomainError, ERRORS, type ErrorCode } from "../domain/kernel/errors.ts";
import { findDomainError } from "../schema/find-domain-error.ts";

/** The longest message about a caller's input, in characters. */
const MESSAGE_LENGTH = 500;

/** Masks the errors of an execution, and logs bugs with their request. */
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
 * Returns what the caller may see of an error: a DomainError with its code, an error of their document in
 * graphql-js' words, and nothing of a bug.
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

/** Whether an error is none of the caller's: a bug, or something that the server needs and can't reach. */
export function isOurs(error: GraphQLError): boolean {
  const domainError = findDomainError(error);
  return domainError === null ? !isOwnFault(error) : ERRORS[domainError.code].status >= 500;
}

/** Converts a DomainError to a GraphQL error. */
export function toGraphqlError(domainError: DomainError, place: GraphQLError | null = null): GraphQLError {
  const { code, message, details } = domainError;
  return new GraphQLError(message, {
    ...getErrorLocation(place),
    extensions: {
      code: code.toUpperCase(),
      status: ERRORS[code].status,
      type: `/problems/${code.replaceAll("_", "-")}`,
      ...(details.budget !== undefined && { budget: details.budget }),
      ...(details.retryAfterSeconds !== undefined && { retryAfterSeconds: details.retryAfterSeconds }),
      ...(details.executionId !== undefined && { executionId: details.executionId }),
      ...(details.oldestCursor !== undefined && { oldestCursor: details.oldestCursor }),
      ...(details.field !== undefined && { field: details.field }),
      ...(details.errors !== undefined && { errors: details.errors }),
      ...(details.currentStatus !== undefined && { currentStatus: details.currentStatus }),
      ...(details.allowed !== undefined && { allowed: details.allowed }),
      ...(details.quota !== undefined && { quota: details.quota }),
      ...(details.tokens !== undefined && { tokens: details.tokens }),
    },
  });
}

/** A GraphQL error with an HTTP status of its own. */
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

/**
 * Shortens an error about a document: graphql-js repeats the input, a name in each of a hundred errors or a
 * whole value.
 */
export function shortenMessage(error: GraphQLError, extensions = error.extensions): GraphQLError {
  const { message } = error;
  const shown = message.length > MESSAGE_LENGTH ? `${message.slice(0, MESSAGE_LENGTH)}…` : message;
  return new GraphQLError(shown, { ...getErrorLocation(error), extensions });
}

/** Errors made by graphql-js have only GraphQL errors as their cause. */
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
