/**
 * A cover as one HTML page that opens offline: no script, no request, one style sheet allowed by its hash. Every text is
 * escaped.
 */
import { createHash } from "node:crypto";
import { type CoverBlock, type CoverDocument, visibleText } from "./cover-document.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --faint: #545b69; --line: #d5d9e0; --paper: #fff; --field: #f4f5f7; --good: #17663a; --bad: #a3162a; --open: #7a5200; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ee; --faint: #a2aab9; --line: #363b47; --paper: #14161b; --field: #1d2027; --good: #6fce97; --bad: #ff8a96; --open: #e6b450; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 56rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.1rem; overflow-wrap: anywhere; }
p, li { margin: .35rem 0; overflow-wrap: anywhere; white-space: pre-line; }
.subtitle { color: var(--faint); }
.result { margin: 1rem 0; padding: .75rem 1rem; border: 1px solid; border-radius: 6px; font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .open { color: var(--open); }
dl { display: grid; grid-template-columns: minmax(7rem, 10rem) 1fr; gap: .25rem 1rem; margin: .5rem 0 1rem; }
dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.mono, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { margin: .5rem 0; padding: .75rem; border-radius: 6px; background: var(--field); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@media print { body { padding: 0; max-width: none; } h2, dt { break-after: avoid; } }
`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};
const escaped = (text: string): string => visibleText(text).replace(/[&<>"']/g, (found) => ESCAPES[found] ?? "");

export function coverHtml({ title, subtitle, result, sections, file }: CoverDocument): string {
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<meta name="quarterdeck-file-sha256" content="${escaped(file.sha256)}">`,
    `<title>${escaped(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<main>`,
    `<h1 dir="auto">${escaped(title)}</h1>\n<p class="subtitle" dir="auto">${escaped(subtitle)}</p>`,
    `<p class="result ${result.tone}">${escaped(result.text)}</p>`,
    ...sections.flatMap(({ heading, blocks }) => [
      `<section>\n<h2 dir="auto">${escaped(heading)}</h2>`,
      ...blocks.map(blockHtml),
      "</section>",
    ]),
    "</main>\n</body>\n</html>\n",
  ].join("\n");
}

function blockHtml(block: CoverBlock): string {
  if (block.kind === "text") return `<p dir="auto">${escaped(block.text)}</p>`;
  if (block.kind === "code") return `<pre dir="auto">${escaped(block.text)}</pre>`;
  if (block.kind === "list")
    return `<ul>\n${block.items.map((item) => `<li dir="auto">${escaped(item)}</li>`).join("\n")}\n</ul>`;
  const facts = block.facts.map(
    ({ label, value, isMono }) =>
      `<dt>${escaped(label)}</dt><dd dir="auto"${isMono ? ' class="mono"' : ""}>${escaped(value)}</dd>`,
  );
  return `<dl>\n${facts.join("\n")}\n</dl>`;
}
