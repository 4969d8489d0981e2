import GithubSlugger from "github-slugger";
import type { HeadingView } from "./schema.ts";

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;
const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/;

/** The headings of a Markdown text, with the anchors that the rendered page gives them. Headings are lines with `#`. */
export function listHeadings(markdown: string): HeadingView[] {
  const slugger = new GithubSlugger();
  const headings: HeadingView[] = [];
  let fence: string | null = null;
  for (const line of markdown.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
      continue;
    }
    const [, hashes = "", source = ""] = (fence === null && HEADING.exec(line)) || [];
    if (hashes === "") continue;
    const text = withoutMarkup(source);
    headings.push({ depth: hashes.length, text, anchor: slugger.slug(text) });
  }
  return headings;
}

/** Links become their labels; backticks and stars go. */
const withoutMarkup = (source: string): string =>
  source.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]|\\(?=[_*`])/g, "");
