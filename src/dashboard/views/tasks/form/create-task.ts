import { graphql } from "../../../data/graphql.ts";

export const CreateTask = graphql(`
  mutation CreateTask($input: CreateTaskInput!) {
    createTask(input: $input) {
      task {
        id
        uuid
      }
    }
  }
`);
