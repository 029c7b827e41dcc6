import type { ResultOf } from "gql.tada";
import { graphql } from "../../data/graphql.ts";

/** What is found by the typed text; and by what follows its first word, if that is a kind or an act. */
export const PaletteSearch = graphql(`
  query PaletteSearch($text: String!, $rest: String!, $kinds: [SearchKind!], $isNarrow: Boolean!) {
    search(text: $text) {
      ...FoundHit
    }
    narrowed: search(text: $rest, kinds: $kinds) @include(if: $isNarrow) {
      ...FoundHit
    }
  }
  fragment FoundHit on SearchHit {
    kind
    uuid
    name
    status
    detail
    createdAt
  }
`);

export type PaletteFound = ResultOf<typeof PaletteSearch>;

export type Hit = PaletteFound["search"][number];

export type SearchKind = Hit["kind"];
