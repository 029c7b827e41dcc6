import {
  type DocumentNode,
  GraphQLError,
  type OperationDefinitionNode,
  getOperationAST,
  specifiedRules,
  validate,
} from "graphql";
import { LRUCache } from "lru-cache";
import { schema } from "../schema/schema.ts";
import { widthRefusal } from "./frame-width.ts";
import { immediateSubscription } from "./immediate-subscription.ts";
import { parseDocument } from "./parse-document.ts";
import { unconditionalSubscription } from "./unconditional-subscription.ts";

/** A document that may be executed. */
export type Prepared = { document: DocumentNode; operation: OperationDefinitionNode };

/** Reads documents: each text is parsed and validated once while it is in use. */
export type Documents = (
  query: string,
  operationName: string | null | undefined,
) => Prepared | readonly GraphQLError[];

/** Documents that are kept read, and the tokens that they have in all: one takes up about half a kilobyte. */
const KEPT = { max: 500, maxSize: 60_000 };
/** A document of more is read anew each time: whoever sends such does not send it often. */
const KEPT_TOKENS = 500;
const RULES = [...specifiedRules, unconditionalSubscription, immediateSubscription];

/** Makes a reader of documents. */
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
      ? [new GraphQLError("There is no such operation in the document.")]
      : { document, operation };
  };
}

function read(query: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parseDocument(query);
    const refusal = widthRefusal(document);
    if (refusal !== null) return [refusal];
    const problems = validate(schema, document, RULES);
    return problems.length > 0 ? problems : document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
