import { type Schema, attribute, complex, elements, primary, reference } from "./attribute.ts";

/** The core User. @see RFC 7643, 4.1 and 8.7.1. */
export const USER_SCHEMA: Schema = {
  id: "urn:ietf:params:scim:schemas:core:2.0:User",
  name: "User",
  description: "A member of the workspace",
  attributes: [
    attribute("userName", "What the person is known by; unique in the workspace, whatever its case.", {
      required: true,
      uniqueness: "server",
    }),
    complex("name", "The parts of the person's name.", [
      attribute("formatted", "The whole name, ready to show."),
      attribute("familyName", "The family name, or last name."),
      attribute("givenName", "The given name, or first name."),
      attribute("middleName", "The middle names."),
      attribute("honorificPrefix", "Titles before the name."),
      attribute("honorificSuffix", "Titles after the name."),
    ]),
    attribute("displayName", "The name that is shown to others."),
    attribute("nickName", "What the person is called in everyday life."),
    reference("profileUrl", "A page about the person.", { referenceTypes: ["external"] }),
    attribute("title", "The person's title, such as Vice President."),
    attribute("userType", "How the person is related to the organization, such as Contractor."),
    attribute("preferredLanguage", "The languages that the person prefers, as Accept-Language has them."),
    attribute("locale", "How to write dates, numbers and currencies, such as en-US."),
    attribute("timezone", "The time zone by its IANA name, such as Europe/Oslo."),
    attribute(
      "active",
      "Whether the person may use the workspace. False ends every session at once. It can't be removed, only replaced.",
      {
        type: "boolean",
      },
    ),
    attribute("password", "Accepted and thrown away: people choose their password themselves.", {
      mutability: "writeOnly",
      returned: "never",
    }),
    elements("emails", "E-mail addresses. The primary one is the address to log in with.", {
      value: attribute("value", "The address."),
      types: ["work", "home", "other"],
    }),
    elements("phoneNumbers", "Telephone numbers, kept as they were sent.", {
      value: attribute("value", "The number."),
      types: ["work", "home", "mobile", "fax", "pager", "other"],
    }),
    elements("ims", "Addresses for instant messages.", {
      value: attribute("value", "The address."),
      types: ["aim", "gtalk", "icq", "xmpp", "msn", "skype", "qq", "yahoo"],
    }),
    elements("photos", "Pictures of the person.", {
      value: reference("value", "Where the picture is.", { referenceTypes: ["external"] }),
      types: ["photo", "thumbnail"],
    }),
    {
      ...complex("addresses", "Postal addresses.", [
        attribute("formatted", "The whole address, ready to print."),
        attribute("streetAddress", "Street, house number, apartment."),
        attribute("locality", "The city."),
        attribute("region", "The state or region."),
        attribute("postalCode", "The postal code."),
        attribute("country", "The country by its two letters."),
        attribute("type", "What the address is for.", { canonicalValues: ["work", "home", "other"] }),
        primary,
      ]),
      multiValued: true,
    },
    {
      ...complex("groups", "The groups that the person is in; changed through the groups.", [
        attribute("value", "The group's id.", { mutability: "readOnly", caseExact: true }),
        reference("$ref", "The group's address.", { mutability: "readOnly", referenceTypes: ["Group"] }),
        attribute("display", "The group's name.", { mutability: "readOnly" }),
        attribute("type", "How the person belongs to it.", {
          mutability: "readOnly",
          canonicalValues: ["direct", "indirect"],
        }),
      ]),
      multiValued: true,
      mutability: "readOnly",
    },
    elements("entitlements", "What the person is entitled to elsewhere.", {
      value: attribute("value", "The entitlement."),
    }),
    elements("roles", "The person's roles elsewhere; they grant nothing here.", {
      value: attribute("value", "The role."),
    }),
    elements("x509Certificates", "Certificates of the person.", {
      value: attribute("value", "The certificate as DER in base64.", { type: "binary", caseExact: true }),
    }),
  ],
};

/** What companies add to a User. @see RFC 7643, 4.3. */
export const ENTERPRISE_SCHEMA: Schema = {
  id: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
  name: "EnterpriseUser",
  description: "What a company knows of a user",
  attributes: [
    attribute("employeeNumber", "The number that the company knows the person by."),
    attribute("costCenter", "The cost center."),
    attribute("organization", "The organization."),
    attribute("division", "The division."),
    attribute("department", "The department."),
    complex("manager", "Whom the person reports to.", [
      attribute("value", "The manager's id.", { caseExact: true }),
      reference("$ref", "The manager's address.", { mutability: "readOnly", referenceTypes: ["User"] }),
      attribute("displayName", "The manager's name.", { mutability: "readOnly" }),
    ]),
  ],
};
