import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { type PlanImage, readImage } from "../../../src/domain/floor-plans/read-image.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { PNG_SIGNATURE, buildPng, pngChunk, pngHeader } from "../../support/png.ts";

const ROOT = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30"';

function read(bytes: Uint8Array): PlanImage & { steps: number } {
  const reading = readImage(bytes);
  for (let steps = 1; ; steps++) {
    const { done, value } = reading.next();
    if (done === true) return { ...value, steps };
  }
}

/** What is left of an SVG between its root's tags. */
function clean(content: string, root = ROOT): string {
  const { image } = read(Buffer.from(`<svg ${root}>${content}</svg>`));
  return /^<svg [^>]*>(.*)<\/svg>$/s.exec(Buffer.from(image).toString())?.[1] ?? "no svg";
}

/** Why an image is rejected. */
function refuse(bytes: string | Buffer): string {
  try {
    read(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof DomainError && error.code === "validation_failed") {
      expect(error.details.field ?? error.details.errors?.[0]?.field).toBe("image");
      return error.message;
    }
    throw error;
  }
  return "not rejected";
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of what is used. */
function measureHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe("an SVG", () => {
  it("keeps shapes, texts, gradients and clip paths, and takes its size from its view box", () => {
    const shapes = [
      '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs>',
      '<g transform="translate(1 2)"><path d="M0 0L4 5z" fill="url(#a)" stroke="rgb(1, 2, 3)"/></g>',
      '<text x="1" y="2">Gate &lt;3 &amp; 4</text>',
    ].join("");
    const { image, steps: _steps, ...rest } = read(Buffer.from(`<svg ${ROOT} width="80mm">${shapes}</svg>`));
    expect(rest).toEqual({ mediaType: "image/svg+xml", width: 40, height: 30 });
    expect(Buffer.from(image).toString()).toMatch(
      /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 40 30" width="40" height="30" preserveAspectRatio="none">/,
    );
    expect(clean(shapes)).toBe(
      shapes
        .replace('stop-color="#fff"/>', 'stop-color="#fff"></stop>')
        .replace('rgb(1, 2, 3)"/>', 'rgb(1, 2, 3)"></path>'),
    );
  });

  it("takes styles apart into what they paint", () => {
    expect(
      clean(
        '<rect fill="red" style="fill: #0a0 !important; -inkscape-x: 1; stroke:url( #g ); cursor: wait"/>',
      ),
    ).toBe('<rect fill="#0a0" stroke="url(#g)"></rect>');
  });

  it.each([
    ["scripts", "<script>alert(1)</script>"],
    ["scripts of another prefix", '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'],
    ["pages", '<h:body xmlns:h="http://www.w3.org/1999/xhtml"><h:script>alert(1)</h:script></h:body>'],
    ["animations", '<set attributeName="href" to="javascript:alert(1)"/>'],
    ["metadata", "<metadata>secret</metadata><title>x</title>"],
    [
      "filters and patterns",
      '<filter id="f"><feImage href="http://x/"/></filter><pattern id="p"><rect/></pattern>',
    ],
    ["comments and instructions", '<!-- x --><?xml-stylesheet href="http://x/a.css"?>'],
  ])("loses %s", (_what, content) => {
    expect(clean(content)).toBe("");
  });

  it.each([
    'onclick="alert(1)"',
    'onload="alert(1)"',
    'href="http://x/"',
    'fill="url(http://x/#a)"',
    'fill="url(&quot;//x/y.svg#a&quot;)"',
    'fill="u\\rl(http://x/)"',
    'style="fill:url(http://x/)"',
    'style="background:url(http://x/)"',
    'style="fill:u\\72l(http://x/)"',
    'style="@import url(http://x/)"',
    'clip-path="url(data:image/svg+xml;base64,AA==#a)"',
    'fill="var(--x)"',
    'filter="url(#f)"',
    'class="a"',
    'xml:base="http://x/"',
    'data-x="1"',
  ])("loses the attribute %s", (attribute) => {
    expect(clean(`<rect ${attribute}/>`)).toBe("<rect></rect>");
  });

  it("turns links into groups, and refers to nothing but its own gradients", () => {
    const xlink = `${ROOT} xmlns:xlink="http://www.w3.org/1999/xlink"`;
    expect(clean('<a xlink:href="javascript:alert(1)"><rect/></a>', xlink)).toBe("<g><rect></rect></g>");
    const gradient = (href: string) => clean(`<radialGradient xlink:href="${href}"/>`, xlink);
    expect(gradient("#a")).toBe('<radialGradient href="#a"></radialGradient>');
    expect(gradient("http://x/#a")).toBe("<radialGradient></radialGradient>");
  });

  it("is not clipped within a clip path, which could multiply what is drawn", () => {
    expect(clean('<clipPath id="a" clip-path="url(#b)"><g clip-path="url(#b)"/></clipPath>')).toBe(
      '<clipPath id="a"><g></g></clipPath>',
    );
  });

  it.each([
    ["use", '<use href="#a"/>'],
    ["image", '<image href="data:image/png;base64,AA=="/>'],
    ["foreignObject", "<foreignObject><p/></foreignObject>"],
    ["style", "<style>rect { fill: url(http://x/) }</style>"],
  ])("is rejected for a %s element, with what to do", (name, content) => {
    expect(refuse(`<svg ${ROOT}>${content}</svg>`)).toMatch(new RegExp(`has a ${name} element.*: save`));
  });

  it.each([
    ["entities", `<!DOCTYPE svg [<!ENTITY a "x">]><svg ${ROOT}>&a;</svg>`, /must not declare entities/],
    [
      "an external entity",
      `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg ${ROOT}/>`,
      /entities/,
    ],
    ["an unknown entity", `<svg ${ROOT}><text>&nbsp;</text></svg>`, /well-formed XML: see line 1/],
    ["XML that is not well-formed", `<svg ${ROOT}><rect></svg>`, /well-formed/],
    ["HTML", "<html><svg></svg></html>", /must be a PNG or an SVG/],
    ["an SVG of no namespace", '<svg viewBox="0 0 1 1"/>', /must be a PNG or an SVG/],
    ["text", "resolution: 0.05", /must be a PNG or an SVG/],
    ["no size", '<svg xmlns="http://www.w3.org/2000/svg" width="10cm" height="5cm"/>', /must have a viewBox/],
    ["a size of zero", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 5"/>', /must have a viewBox/],
    ["another encoding", `<?xml version="1.0" encoding="utf-16"?><svg ${ROOT}/>`, /UTF-8/],
    ["bytes that are no text", Buffer.from([0x3c, 0xff, 0xfe]), /UTF-8/],
    ["depth", `<svg ${ROOT}>${"<g>".repeat(64)}${"</g>".repeat(64)}</svg>`, /64 levels/],
    ["many elements", `<svg ${ROOT}>${"<g/>".repeat(20_000)}</svg>`, /at most 20000 elements/],
    [
      "many attributes of an element",
      `<svg ${ROOT}${Array.from({ length: 199 }, (_, index) => ` a${index}=""`).join("")}/>`,
      /at most 200 attributes/,
    ],
    ["a long style", `<svg ${ROOT}><g style="${"fill:red;".repeat(500)}"/></svg>`, /at most 4096 characters/],
    ["a long color", `<svg ${ROOT}><g fill='${"&quot;".repeat(4097)}'/></svg>`, /at most 4096 characters/],
    [
      "a long view box",
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${"0 ".repeat(1_000_000)}"/>`,
      /must have a viewBox/,
    ],
    ["many bytes", Buffer.alloc(LIMITS.floorPlanBytes + 1, " "), /at most 2097152 bytes/],
  ])("is rejected for %s", (_what, bytes, message) => {
    expect(refuse(bytes)).toMatch(message);
  });

  it("may have a declaration and a plain doctype", () => {
    const doctype =
      '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
    const text = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n${doctype}<svg ${ROOT}/>`;
    expect(read(Buffer.from(text))).toMatchObject({ width: 40, height: 30 });
  });
});

describe("a large SVG", () => {
  it.each([
    ["texts", `<text>${"<![CDATA[a]]>".repeat(150_000)}</text>`],
    ["a comment", `<!-- ${"- ".repeat(1_000_000)}-->`],
    ["elements", `<g ${'stroke="red" '.padEnd(85)}/>`.repeat(19_000)],
  ])("of %s is read in many steps, so that others are served meanwhile", (_what, content) => {
    expect(read(Buffer.from(`<svg ${ROOT}>${content}</svg>`)).steps).toBeGreaterThan(100);
  });

  it.each([
    ["a comment", `<svg ${ROOT}><!--${"-a".repeat(1_000_000)}--></svg>`],
    ["a doctype", `<!DOCTYPE svg ${'"a"'.repeat(690_000)}><svg ${ROOT}/>`],
    ["an attribute", `<svg ${ROOT}><path d="${"\n1".repeat(1_000_000)}"/></svg>`],
  ])("with %s of many pieces keeps them as one", (_what, svg) => {
    const reading = readImage(Buffer.from(svg));
    const before = measureHeap();
    for (let step = 0; step < 120; step++) reading.next();
    // As pieces they would take 16 to 60 MB.
    expect(measureHeap() - before).toBeLessThan(10_000_000);
  });

  it("of a text is written in many steps", () => {
    const text = "&amp;".repeat(400_000);
    expect(read(Buffer.from(`<svg ${ROOT}><text>${text}</text></svg>`)).steps).toBeGreaterThan(140);
  });

  it("is read as it is, wherever a step ends", () => {
    const text = "é🙂\u{1F916}&amp;".repeat(20_000);
    expect(clean(`<text>${text}</text>`)).toBe(`<text>${text}</text>`);
  });
});

describe("a PNG", () => {
  it("keeps its picture, and loses what else is in it", () => {
    const others = [pngChunk("tEXt", Buffer.from("Comment\0secret")), pngChunk("eXIf", Buffer.from("gps"))];
    const { image, steps: _steps, ...rest } = read(buildPng(6, 4, others));
    expect(rest).toEqual({ mediaType: "image/png", width: 6, height: 4 });
    expect(Buffer.from(image)).toEqual(buildPng(6, 4));
  });

  it.each([
    [
      "too many pixels",
      Buffer.concat([PNG_SIGNATURE, pngHeader(65_000, 65_000), buildPng(1, 1).subarray(33)]),
      /at most 16777216 pixels, and has 65000 × 65000/,
    ],
    ["no pixels", Buffer.concat([PNG_SIGNATURE, pngHeader(0, 5), buildPng(1, 1).subarray(33)]), /damaged/],
    ["no end", buildPng(4, 4).subarray(0, -12), /damaged/],
    [
      "something after its end",
      Buffer.concat([buildPng(4, 4), Buffer.from("<script>")]),
      /nothing after its end/,
    ],
    [
      "no data",
      Buffer.concat([PNG_SIGNATURE, pngHeader(4, 4), pngChunk("IEND", Buffer.alloc(0))]),
      /damaged/,
    ],
    ["a signature alone", PNG_SIGNATURE, /damaged/],
    ["a wrong checksum", Buffer.concat([PNG_SIGNATURE, Buffer.alloc(25, 1)]), /damaged/],
    [
      "many chunks",
      Buffer.concat([
        PNG_SIGNATURE,
        pngHeader(4, 4),
        ...Array<Buffer>(10_000).fill(pngChunk("IDAT", Buffer.alloc(0))),
        pngChunk("IEND", Buffer.alloc(0)),
      ]),
      /at most 10000 chunks/,
    ],
    ["a cut chunk", buildPng(4, 4).subarray(0, 40), /damaged/],
  ])("is rejected for %s", (_what, bytes, message) => {
    expect(refuse(bytes)).toMatch(message);
  });
});
