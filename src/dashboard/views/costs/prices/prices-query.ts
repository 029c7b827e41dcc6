import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PageFields } from "../../../data/page-fields.ts";

export const PricesQuery = graphql(
  `
    query ModelPrices($first: Int, $after: String, $last: Int, $before: String) {
      modelPrices(first: $first, after: $after, last: $last, before: $before) {
        totalCount
        nodes {
          id
          uuid
          provider
          model
          validFrom
          prices {
            input
            output
            cacheRead
            cacheWrite
          }
          tiers {
            aboveInputTokens
          }
        }
        pageInfo {
          ...PageFields
        }
      }
    }
  `,
  [PageFields],
);

export type ShownPrice = ResultOf<typeof PricesQuery>["modelPrices"]["nodes"][number];

export const PRICES_FRESHNESS = { types: ["model_price.*"] };

export const SetModelPrice = graphql(`
  mutation SetModelPrice($input: SetModelPriceInput!) {
    setModelPrice(input: $input) {
      price {
        id
      }
    }
  }
`);

export const DeleteModelPrice = graphql(`
  mutation DeleteModelPrice($id: ID!) {
    deleteModelPrice(input: { id: $id }) {
      price {
        id
      }
    }
  }
`);
