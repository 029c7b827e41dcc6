import { type Schema, attribute, complex, elements, primary, reference } from "./attribute.ts";

/** The core User schema. @see RFC 7643, 4.1 and 8.7.1. */
export const USER_SCHEMA: Schema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  description: "A member of the workspace",
  attributes: [
    attribute("userName", "The user name. Unique in the workspace, not case-sensitive.", {
      required: true,
      uniqueness: "server",
    }),
    complex("name", "The parts of the person's name.", [
      attribute("formatted", "The full name for display."),
      attribute("familyName", "The family name, or last name."),
      attribute("givenName", "The given name, or first name."),
      attribute("middleName", "The middle names."),
      attribute("honorificPrefix", "Titles before the name."),
      attribute("honorificSuffix", "Titles after the name."),
    ]),
    attribute("displayName", "The display name."),
    attribute("nickName", "The casual name."),
    reference("profileUrl", "The URL of the person's profile.", { referenceTypes: ["external"] }),
    attribute("title", "The person's job title, such as Vice President."),
    attribute("userType", "The relation to the organization, such as Contractor."),
    attribute("preferredLanguage", "The preferred languages, in the format of Accept-Language."),
    attribute("locale", "The locale for dates, numbers and currencies, such as en-US."),
    attribute("timezone", "The IANA time zone, such as Europe/Oslo."),
    attribute(
      "active",
      "Whether the person may log in. False revokes all sessions immediately. It can be replaced, but " +
        "not removed.",
      {
        type: "boolean",
      },
    ),
    attribute("password", "Accepted and ignored: people choose their own password.", {
      mutability: "writeOnly",
      returned: "never",
    }),
    elements("emails", "Email addresses. The primary one is used to log in.", {
      value: attribute("value", "The address."),
      types: ["work", "home", "other"],
    }),
    elements("phoneNumbers", "Telephone numbers, stored as sent.", {
      value: attribute("value", "The number."),
      types: ["work", "home", "mobile", "fax", "pager", "other"],
    }),
    elements("ims", "Addresses for instant messages.", {
      value: attribute("value", "The address."),
      types: ["aim", "gtalk", "icq", "xmpp", "msn", "skype", "qq", "yahoo"],
    }),
    elements("photos", "Pictures of the person.", {
      value: reference("value", "The picture's URL.", { referenceTypes: ["external"] }),
      types: ["photo", "thumbnail"],
    }),
    {
      ...complex("addresses", "Postal addresses.", [
        attribute("formatted", "The full address for display."),
        attribute("streetAddress", "Street, house number, apartment."),
        attribute("locality", "The city."),
        attribute("region", "The state or region."),
        attribute("postalCode", "The postal code."),
        attribute("country", "The two-letter country code."),
        attribute("type", "What the address is for.", { canonicalValues: ["work", "home", "other"] }),
        primary,
      ]),
      multiValued: true,
    },
    {
      ...complex(
        "groups",
        "The groups that the person is a member of. Read-only: change the groups instead.",
        [
          attribute("value", "The group's id.", { mutability: "readOnly", caseExact: true }),
          reference("$ref", "The group's URL.", { mutability: "readOnly", referenceTypes: ["Group"] }),
          attribute("display", "The group's name.", { mutability: "readOnly" }),
          attribute("type", "The kind of membership.", {
            mutability: "readOnly",
            canonicalValues: ["direct", "indirect"],
          }),
        ],
      ),
      multiValued: true,
      mutability: "readOnly",
    },
    elements("entitlements", "The person's entitlements in other systems.", {
      value: attribute("value", "The entitlement."),
    }),
    elements("roles", "The person's roles in other systems. They grant nothing here.", {
      value: attribute("value", "The role."),
    }),
    elements("x509Certificates", "Certificates of the person.", {
      value: attribute("value", "The certificate in DER, base64-encoded.", {
        type: "binary",
        caseExact: true,
      }),
    }),
  ],
};

/** The enterprise extension of User. @see RFC 7643, 4.3. */
export const ENTERPRISE_SCHEMA: Schema = {
  id: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  name: "EnterpriseUser",
  description: "Enterprise attributes of a user",
  attributes: [
    attribute("employeeNumber", "The employee number."),
    attribute("costCenter", "The cost center."),
    attribute("organization", "The organization."),
    attribute("division", "The division."),
    attribute("department", "The department."),
    complex("manager", "The person's manager.", [
      attribute("value", "The manager's id.", { caseExact: true }),
      reference("$ref", "The manager's URL.", { mutability: "readOnly", referenceTypes: ["User"] }),
      attribute("displayName", "The manager's name.", { mutability: "readOnly" }),
    ]),
  ],
};
