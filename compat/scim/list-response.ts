import type { ListRequest } from "./read-list-request.ts";
import type { ResourceJson } from "./resource-json.ts";
import { URNS } from "./urns.ts";

/** One page of a list, with the total and the cursors of the pages around it. */
export type ScimListPage = {
  resources: ResourceJson[];
  total: number;
  nextCursor: string | null;
  previousCursor: string | null;
};

/**
 * Builds a ListResponse.
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
    // Cursor-based pages have no index.
    ...(request.cursor === null && { startIndex: request.startIndex }),
    itemsPerPage: resources.length,
    ...(previousCursor !== null && { previousCursor }),
    ...(nextCursor !== null && { nextCursor }),
    Resources: resources,
  };
}
