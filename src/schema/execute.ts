import type { TadaDocumentNode } from "gql.tada";
import { type DocumentNode, type ExecutionResult, validate } from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import type { Ctx } from "../domain/kernel/context.ts";
import { requireValidCredential } from "../domain/kernel/require-valid-credential.ts";
import { findDomainError } from "./find-domain-error.ts";
import { schema } from "./schema.ts";

const compiled = new WeakMap<DocumentNode, CompiledQuery>();

/**
 * Executes one of our own documents as the caller. The document is validated and compiled when it is
 * first used, so that a request pays for nothing but its resolvers. What the schema holds against
 * strangers' documents (depth, complexity) does not apply.
 *
 * @throws {DomainError} as the verb threw it; anything else that is thrown is a bug.
 */
export async function execute<Data, Variables>(
  ctx: Ctx,
  document: TadaDocumentNode<Data, Variables, unknown>,
  variables: Variables,
): Promise<Data> {
  // It may have taken a while until the request had come in whole.
  requireValidCredential(ctx);
  const query = compiled.get(document) ?? compile(document);
  // graphql-jit wants any record of variables; the document's own type was held above.
  const result = (await query.query({}, ctx, variables as Record<string, unknown>)) as ExecutionResult;
  const [error] = result.errors ?? [];
  if (error !== undefined) throw findDomainError(error) ?? error.originalError ?? error;
  // Without errors the data is there, as the document's type says.
  return result.data as Data;
}

function compile(document: DocumentNode): CompiledQuery {
  const problems = validate(schema, document);
  if (problems.length > 0) throw new Error(`a document of ours is not valid: ${problems.join("; ")}`);
  const query = compileQuery(schema, document);
  if (!isCompiledQuery(query)) throw new Error("a document of ours can't be compiled");
  compiled.set(document, query);
  return query;
}
