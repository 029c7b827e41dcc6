import { encodeQR } from "qr";
import { type Html, html } from "../html.ts";

/** Draws a QR code. The light squares are drawn too, so that it can be read on dark pages. */
export function qrCode(text: string, label: string): Html {
  const rows = encodeQR(text, "raw", { border: 4 });
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  const size = rows.length;
  return html`<svg
    class="qr"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <rect width="${size}" height="${size}" fill="#fff" />
    <path d="${path}" fill="#000" />
  </svg>`;
}
