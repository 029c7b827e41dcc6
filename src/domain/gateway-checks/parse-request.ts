import { z } from "zod";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { createValidationError, fieldErrors } from "../kernel/field-errors.ts";
import { isObject } from "../kernel/is-object.ts";
import { text, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { entityType } from "../policies/policy-rule.ts";
import { MEMBER } from "./entity-name.ts";

const properties = z.custom<Record<string, unknown>>(isObject, "must be an object").default({});
const name = text(LIMITS.entityName);

const entity = z.object({ type: entityType, id: name, properties });

const subject = entity.refine(({ type }) => type !== MEMBER, {
  path: ["type"],
  message: "can't be member: people ask nothing here",
});

/** `task_id` joins the decision to a task. */
const context = properties.refine(
  ({ task_id: id }) => id === undefined || id === null || uuid.safeParse(id).success,
  { path: ["task_id"], message: "must be a UUID" },
);

/** The parts of a request, by name. */
export const requestParts = { subject, action: z.object({ name, properties }), resource: entity, context };

const shape = z.object({ ...requestParts, subject: subject.optional() });

/** What may somebody do? Without a subject, the caller. */
export type AccessRequest = z.output<typeof shape>;

/**
 * Parses a request. What members it doesn't know is ignored.
 *
 * @throws {DomainError} payload_too_large; invalid_body for text that is not JSON; validation_failed for
 *   values that could be understood in two ways, and for missing and invalid fields.
 * @see https://openid.net/specs/authorization-api-1_0.html
 */
export function parseRequest(json: string): AccessRequest {
  return parseAs(shape, parseRequestJson(json));
}

/**
 * Parses the JSON of a request, or of several together.
 *
 * @throws {DomainError} payload_too_large; invalid_body for text that is not JSON; validation_failed for
 *   values that could be understood in two ways.
 */
export function parseRequestJson(json: string): unknown {
  if (Buffer.byteLength(json) > LIMITS.requestBytes) {
    const message = `The request is too large. At most ${LIMITS.requestBytes} bytes are allowed.`;
    throw new DomainError("payload_too_large", message);
  }
  const parsed = parseStrictJson(json, {
    maxDepth: LIMITS.requestDepth,
    maxValues: LIMITS.requestValues,
  });
  if (parsed === null) throw new DomainError("invalid_body", "The request is not valid JSON.");
  if (!("problem" in parsed)) return parsed.value;
  const { path, message } = parsed.problem;
  throw createFieldError(joinPath(path), message);
}

/**
 * Parses a value of a request. Fields are named as `request.resource.id`.
 *
 * @throws {DomainError} validation_failed.
 */
export function parseAs<Shape extends z.ZodType>(expected: Shape, value: unknown): z.output<Shape> {
  const parsed = expected.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  throw createValidationError(errors.map((error) => ({ ...error, field: joinPath(error.field) })));
}

/** The task that a request is for, if it says so. */
export function getTaskId({ context: { task_id: id } }: AccessRequest): string | null {
  return typeof id === "string" ? id.toLowerCase() : null;
}

function joinPath(field: string): string {
  return field === "" ? "request" : `request.${field}`;
}
