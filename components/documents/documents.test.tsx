/** Each served document as the console renders it: its anchors, its links, and HTML in its text. */
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { DocumentMarkdown } from "@/components/documents/markdown";
import { resolveLink } from "@/components/documents/resolve-link";
import { ERROR_HELP, helpHref, PAGE_HELP, pageHelp, TOPICS } from "@/components/layout/help/help-table";
import { matching } from "@/components/layout/palette/match";
import { listItems } from "@/components/layout/palette/use-document-items";
import { TooltipProvider } from "@/components/ui/tooltip";
import { DOCUMENTS } from "@/server/documents/schema";
import { index, read } from "../../server/documents/service.ts";
import { ERRORS } from "../../server/errors/catalogue.ts";

const rendered = (markdown: string, file = "docs/tutorial.md") =>
  renderToStaticMarkup(
    <TooltipProvider>
      <DocumentMarkdown markdown={markdown} file={file} />
    </TooltipProvider>,
  );
const valuesOf = (html: string, attribute: string) =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value);

const htmlBySlug = new Map(DOCUMENTS.map(({ slug, file }) => [slug, rendered(read(slug).markdown, file)]));
/** True if `/docs/x#y` is a document and one of its anchors. */
function leadsSomewhere(href: string): boolean {
  const [path = "", anchor] = href.split("#");
  const html = htmlBySlug.get(path.replace("/docs/", ""));
  return html !== undefined && (anchor === undefined || valuesOf(html, "id").includes(anchor));
}

describe.each(DOCUMENTS.map(({ slug }) => slug))("%s", (slug) => {
  const html = htmlBySlug.get(slug) ?? "";

  it("has the anchors that the index lists", () => {
    const listed = read(slug).headings.filter(({ depth }) => depth > 1 && depth < 5);
    expect(valuesOf(html, "id")).toEqual(listed.map(({ anchor }) => anchor));
  });

  it("shows no comment of its source", () => {
    expect(html.replace(/<code[\s\S]*?<\/code>/g, "")).not.toContain("&lt;!--");
  });

  it("links to documents and anchors that exist, and to nothing else of the console", () => {
    const links = valuesOf(html, "href");
    const broken = links.filter(
      (href) => !/^https:\/\//.test(href) && !leadsSomewhere(href.startsWith("#") ? `/docs/${slug}${href}` : href),
    );
    expect(broken).toEqual([]);
  });
});

it("takes a link to a document and its anchor to the served page", () => {
  expect(resolveLink("docs/clients/cline.md", "../dialects.md#gaps")).toEqual({
    kind: "page",
    href: "/docs/dialects#gaps",
  });
  expect(resolveLink("CHANGELOG.md", "docs/cluster.md")).toEqual({ kind: "page", href: "/docs/cluster" });
});

it("shows a link to a file that is not served as text", () => {
  const html = rendered("See [the decision](adr/0001-the-core-stands-alone.md).");
  expect(html).not.toContain("href=");
  expect(html).toContain("the decision");
});

it("shows HTML as text and follows no link that runs a script", () => {
  const html = rendered(
    'A <img src=x onerror="alert(1)"> and [a link](javascript:alert(1)).\n\n<script>alert(1)</script>\n\n![x](http://a.example/b.png)',
  );
  expect(html).not.toMatch(/<(script|img)|href="javascript/);
  expect(html).toContain("&lt;script&gt;");
});

it("colours code, and lets tables scroll", () => {
  expect(rendered("```yaml\na: 1\n```")).toContain("text-code-key");
  expect(rendered("| a | b |\n|---|---|\n| 1 | 2 |")).toContain("<table");
});

describe("help", () => {
  const entries = [
    ...Object.entries(PAGE_HELP),
    ...Object.entries(ERROR_HELP),
    ...Object.entries(TOPICS).map(([topic, { to }]) => [topic, to] as const),
  ];

  it.each(entries)("of %s is a document and an anchor", (_place, to) => {
    expect(leadsSomewhere(helpHref(to))).toBe(true);
  });

  it("of errors names errors of the catalogue", () => {
    expect(Object.keys(ERROR_HELP).filter((code) => !(code in ERRORS))).toEqual([]);
  });

  it("of a page is that of its longest path", () => {
    expect(pageHelp("/")).toBe("concepts");
    expect(pageHelp("/agents")).toBe(PAGE_HELP["/agents"]);
    expect(pageHelp("/agents/tools")).toBe(PAGE_HELP["/agents/tools"]);
    expect(pageHelp("/agents/0197")).toBe(PAGE_HELP["/agents/*"]);
    expect(pageHelp("/policies/prompts/0197")).toBe(PAGE_HELP["/policies/prompts"]);
    expect(pageHelp("/agentsmith")).toBeNull();
  });

  it("lists longer paths before the shorter ones that contain them", () => {
    for (const [path, to] of Object.entries(PAGE_HELP)) expect(pageHelp(path.replace("*", "some-id"))).toBe(to);
  });
});

describe("the palette", () => {
  const items = listItems(index());
  const first = (text: string) => matching(text, items, (item) => item)[0]?.href;

  it.each([
    ["kill switch", "/docs/halts"],
    ["logout", "/docs/sign-in"],
    ["api key", "/docs/dialects"],
    ["notifications", "/docs/concepts#notifications-and-alerts"],
    ["slack", "/docs/approvals"],
    ["export", "/docs/exporting"],
    ["changelog", "/docs/whats-new"],
    ["delete data", "/docs/operations"],
    ["fail closed", "/docs/faults"],
    ["timezone", "/docs/approvals"],
    ["tool kinds", "/docs/dialects#tool-kinds"],
  ])("finds %j", (text, href) => expect(first(text)).toBe(href));

  it("finds documents by words for documents", () => {
    for (const word of ["docs", "help"]) expect(first(word)).toMatch(/^\/docs\//);
  });
});
