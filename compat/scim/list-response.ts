import type { ListRequest } from "./read-list-request.ts";
import type { ResourceJson } from "./resource-json.ts";
import { URNS } from "./urns.ts";

/** A page: what it shows, of how many, and the cursors of those around it. */
export type ScimListPage = {
  resources: ResourceJson[];
  total: number;
  nextCursor: string | null;
  previousCursor: string | null;
};

/**
 * Makes the answer of a list.
 *
 * @see RFC 7644, 3.4.2; RFC 9865, 2.
 */
export function listResponse(
  { resources, total, nextCursor, previousCursor }: ScimListPage,
  request: Pick<ListRequest, "startIndex" | "cursor">,
) {
  return {
    schemas: [URNS.listResponse],
    totalResults: total,
    // Pages by cursor have no index.
    ...(request.cursor === null && { startIndex: request.startIndex }),
    itemsPerPage: resources.length,
    ...(previousCursor !== null && { previousCursor }),
    ...(nextCursor !== null && { nextCursor }),
    Resources: resources,
  };
}
