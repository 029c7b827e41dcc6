/** What a value of an attribute is. @see RFC 7643, 2.3. */
export type AttributeType = "string" | "boolean" | "dateTime" | "reference" | "binary" | "complex";

/** An attribute with its characteristics, as /Schemas shows it. @see RFC 7643, 2.2 and 7. */
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

/** A schema as /Schemas shows it; `id` is its URN. @see RFC 7643, 7. */
export type Schema = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
};

/** Makes an attribute: a text that is optional, writable and compared without case, but for what is given. */
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

/** Makes an attribute that points to something; it is compared by case. @see RFC 7643, 2.3.7. */
export function reference(
  name: string,
  description: string,
  characteristics: Partial<Attribute> & Pick<Required<Attribute>, "referenceTypes">,
): Attribute {
  return attribute(name, description, { type: "reference", caseExact: true, ...characteristics });
}

/** Makes an attribute that holds others. */
export function complex(name: string, description: string, subAttributes: readonly Attribute[]): Attribute {
  return attribute(name, description, { type: "complex", subAttributes });
}

/** Makes an attribute of several elements: a value, with the default sub-attributes. @see RFC 7643, 2.4. */
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

/** Marks the preferred element, of which there is one at most. */
export const primary = attribute("primary", "Whether this is the preferred value. At most one is.", {
  type: "boolean",
});
