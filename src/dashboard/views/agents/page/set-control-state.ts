import { graphql } from "../../../data/graphql.ts";

export const SetControlState = graphql(`
  mutation SetAgentControlState($id: ID!, $controlState: ControlState!, $reason: String) {
    setAgentControlState(input: { id: $id, controlState: $controlState, reason: $reason }) {
      agent {
        id
        controlState
      }
    }
  }
`);
