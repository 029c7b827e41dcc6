/** The type of an attribute's value. @see RFC 7643, 2.3. */
export type AttributeType = "string" | "boolean" | "dateTime" | "reference" | "binary" | "complex";

/** An attribute with its characteristics, as in /Schemas. @see RFC 7643, 2.2 and 7. */
export type Attribute = {
  readonly name: string;
  readonly type: AttributeType;
  readonly multiValued: boolean;
  readonly description: string;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: "readOnly" | "readWrite" | "immutable" | "writeOnly";
  readonly returned: "always" | "never" | "default" | "request";
  readonly uniqueness: "none" | "server" | "global";
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
};

/** A schema as in /Schemas. `id` is its URN. @see RFC 7643, 7. */
export type Schema = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
};

/** Defines an attribute. Default: an optional, writable, case-insensitive string. */
export function attribute(
  name: string,
  description: string,
  characteristics: Partial<Attribute> = {},
): Attribute {
  return {
    name,
    type: "string",
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: "readWrite",
    returned: "default",
    uniqueness: "none",
    ...characteristics,
  };
}

/** Defines a reference attribute, which is case-sensitive. @see RFC 7643, 2.3.7. */
export function reference(
  name: string,
  description: string,
  characteristics: Partial<Attribute> & Pick<Required<Attribute>, "referenceTypes">,
): Attribute {
  return attribute(name, description, { type: "reference", caseExact: true, ...characteristics });
}

/** Defines a complex attribute. */
export function complex(name: string, description: string, subAttributes: readonly Attribute[]): Attribute {
  return attribute(name, description, { type: "complex", subAttributes });
}

/** Defines a multi-valued attribute with a value and the default sub-attributes. @see RFC 7643, 2.4. */
export function elements(
  name: string,
  description: string,
  { value, types = [] }: { value: Attribute; types?: readonly string[] },
): Attribute {
  return {
    ...complex(name, description, [
      value,
      attribute("display", "A name to show."),
      attribute("type", "What the value is for.", types.length > 0 ? { canonicalValues: types } : {}),
      primary,
    ]),
    multiValued: true,
  };
}

/** The sub-attribute of the preferred element. At most one element has it. */
export const primary = attribute("primary", "Whether this is the preferred value. At most one is.", {
  type: "boolean",
});
