import { schema } from "../schema/schema.ts";
import { findWidthError } from "./frame-width.ts";
import { parseDocument } from "./parse-document.ts";
import { unconditionalSubscriptionRule } from "./unconditional-subscription-rule.ts";
import {
  type DocumentNode,
  GraphQLError,
  type OperationDefinitionNode,
  getOperationAST,
  specifiedRules,
  validate,
  type ASTVisitor,
  OperationTypeNode,
  TypeInfo,
  type ValidationContext,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { LRUCache } from "lru-cache";

/** A valid document with its operation. */
export type PreparedDocument = { document: DocumentNode; operation: OperationDefinitionNode };

/** Parses and validates documents, once per text while it is in use. */
export type Documents = (
  query: string,
  operationName: string | null | undefined,
) => PreparedDocument | readonly GraphQLError[];

/** The number of cached documents, and their total tokens: one takes about half a kilobyte. */
const KEPT = { max: 500, maxSize: 60_000 };
/** Larger documents are not cached, because they are rarely repeated. */
const KEPT_TOKENS = 500;
const RULES = [...specifiedRules, unconditionalSubscriptionRule, immediateSubscriptionRule];

export function createDocuments(): Documents {
  const known = new LRUCache<string, DocumentNode>({
    ...KEPT,
    sizeCalculation: ({ tokenCount = 0 }) => tokenCount + 1,
  });
  return (query, operationName) => {
    const document = known.get(query) ?? read(query);
    if (!("kind" in document)) return document;
    if ((document.tokenCount ?? 0) <= KEPT_TOKENS) known.set(query, document);
    const operation = getOperationAST(document, operationName ?? undefined);
    return operation === null || operation === undefined
      ? [new GraphQLError("The document has no operation of this name.")]
      : { document, operation };
  };
}

function read(query: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parseDocument(query);
    const widthError = findWidthError(document);
    if (widthError !== null) return [widthError];
    const problems = validate(schema, document, RULES);
    return problems.length > 0 ? problems : document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}

/**
 * A validation rule: a subscription may select only fields that its events contain. Events are written as
 * they arrive, in order, without reading from the database.
 */
function immediateSubscriptionRule(context: ValidationContext): ASTVisitor {
  const types = new TypeInfo(context.getSchema());
  const fields = visitWithTypeInfo(types, {
    Field: ({ name }) => {
      if (types.getFieldDef()?.extensions["isLookedUp"] !== true) return;
      context.reportError(new GraphQLError(`${name.value} is not available in subscriptions. Use a query.`));
    },
  });
  return {
    OperationDefinition: (node) => {
      if (node.operation !== OperationTypeNode.SUBSCRIPTION) return;
      for (const part of [node, ...context.getRecursivelyReferencedFragments(node)]) visit(part, fields);
    },
  };
}
