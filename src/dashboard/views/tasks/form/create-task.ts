import { graphql } from "../../../data/graphql.ts";

/** Creates a task that waits in its queue. */
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
