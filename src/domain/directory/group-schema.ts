import { type Schema, attribute, complex, reference } from "./attribute.ts";

/** The core Group schema. @see RFC 7643, 4.2 and 8.7.1. */
export const GROUP_SCHEMA: Schema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:Group",
  name: "Group",
  description: "A group of members of the workspace",
  attributes: [
    attribute("displayName", "The group's name.", { required: true }),
    {
      ...complex(
        "members",
        "The users in the group. Nested groups are not supported. Unknown ids are left out.",
        [
          attribute("value", "The user's id.", { mutability: "immutable", caseExact: true }),
          reference("$ref", "The user's URL.", { mutability: "immutable", referenceTypes: ["User"] }),
          attribute("display", "The user's name.", { mutability: "readOnly" }),
          attribute("type", "The member's type.", { mutability: "immutable", canonicalValues: ["User"] }),
        ],
      ),
      multiValued: true,
    },
  ],
};
