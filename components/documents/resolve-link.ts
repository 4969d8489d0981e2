import { documentHref } from "@/server/documents/address-schema";
import { DOCUMENTS } from "@/server/documents/schema";

export type ResolvedLink =
  | { readonly kind: "page"; readonly href: string }
  | { readonly kind: "external"; readonly href: string }
  /** A file of the project that the console does not serve. */
  | { readonly kind: "file"; readonly file: string };

const slugByFile = new Map(DOCUMENTS.map(({ file, slug }) => [file, slug]));

/** The target of a link in a document. `file` is the document's own path from the project's root. */
export function resolveLink(file: string, href: string): ResolvedLink {
  if (/^https?:\/\//.test(href)) return { kind: "external", href };
  const [path = "", anchor] = href.split("#");
  const target = path === "" ? file : joinPath(file, path);
  const slug = slugByFile.get(target);
  return slug === undefined ? { kind: "file", file: target } : { kind: "page", href: documentHref(slug, anchor) };
}

/** A relative path, from the folder of a file. */
function joinPath(file: string, path: string): string {
  const parts = file.split("/").slice(0, -1);
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
