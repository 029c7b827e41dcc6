import type { TadaDocumentNode } from "gql.tada";
import { type DocumentNode, type ExecutionResult, getOperationAST, validate } from "graphql";
import { type CompiledQuery, compileQuery, isCompiledQuery } from "graphql-jit";
import type { Ctx } from "../domain/kernel/context.ts";
import { requireValidCredential } from "../domain/kernel/require-valid-credential.ts";
import { findDomainError } from "./find-domain-error.ts";
import { schema } from "./schema.ts";

const compiled = new WeakMap<DocumentNode, CompiledQuery>();

/**
 * Executes one of our own documents as the caller. The document is validated and compiled at its first use,
 * so that a request costs only its resolvers. The limits on clients' documents (depth, complexity) don't
 * apply.
 *
 * @throws {DomainError} from the use case; any other error is a bug.
 */
export async function execute<Data, Variables>(
  ctx: Ctx,
  document: TadaDocumentNode<Data, Variables, unknown>,
  variables: Variables,
): Promise<Data> {
  // The credential may have been revoked while the body was still arriving.
  requireValidCredential(ctx);
  const query = compiled.get(document) ?? compile(document);
  // graphql-jit accepts any record as variables; the document's own type was checked above.
  async function run(): Promise<unknown> {
    return query.query({}, ctx, variables as Record<string, unknown>);
  }
  const { traceOperation } = ctx.services;
  const result = (await (traceOperation === undefined
    ? run()
    : traceOperation(describeOperation(document), run))) as ExecutionResult;
  const [error] = result.errors ?? [];
  if (error !== undefined) throw findDomainError(error) ?? error.originalError ?? error;
  // Without errors, the data has the document's type.
  return result.data as Data;
}

function describeOperation(document: DocumentNode): { type: string; name: string | null } {
  const operation = getOperationAST(document);
  return { type: operation?.operation ?? "other", name: operation?.name?.value ?? null };
}

function compile(document: DocumentNode): CompiledQuery {
  const problems = validate(schema, document);
  if (problems.length > 0) throw new Error(`invalid internal GraphQL document: ${problems.join("; ")}`);
  const query = compileQuery(schema, document);
  if (!isCompiledQuery(query)) throw new Error("an internal GraphQL document can't be compiled");
  compiled.set(document, query);
  return query;
}
