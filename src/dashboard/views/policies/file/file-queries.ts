import type { ResultOf } from "gql.tada";
import { graphql } from "../../../data/graphql.ts";
import { PolicyFields } from "../policy-fields.ts";

export const PolicyFileQuery = graphql(`
  query PolicyFile {
    policyFile {
      text
      count
    }
  }
`);

/** A rule of a file. */
const FileRule = graphql(`
  fragment FileRule on PolicyRule {
    name
    description
    enabled
    mode
    effect
    subjects {
      type
      name
      labels
      kind
      role
    }
    actions
    resources {
      type
      name
      labels
      kind
      server
    }
    when
    approval {
      role
      persons
      ttlSeconds
      validSeconds
      uses
      scope
      edits
    }
  }
`);

export const PreviewPolicyFile = graphql(
  `
    query PreviewPolicyFile($text: String!) {
      previewPolicyFile(text: $text) {
        problems {
          line
          column
          message
        }
        diff {
          added {
            ...FileRule
          }
          addedCount
          changed {
            policy {
              ...PolicyFields
            }
            rule {
              ...FileRule
            }
          }
          changedCount
          missing {
            ...PolicyFields
          }
          missingCount
          unchangedCount
          generation
        }
      }
    }
  `,
  [FileRule, PolicyFields],
);

export type FilePreview = ResultOf<typeof PreviewPolicyFile>["previewPolicyFile"];
export type FileProblem = FilePreview["problems"][number];
export type FileDiff = NonNullable<FilePreview["diff"]>;

export const ApplyPolicyFile = graphql(`
  mutation ApplyPolicyFile($text: String!, $prune: Boolean!, $ifGeneration: Int!) {
    applyPolicyFile(input: { text: $text, prune: $prune, ifGeneration: $ifGeneration }) {
      diff {
        addedCount
        changedCount
        missingCount
      }
    }
  }
`);
