/**
 * The documents of the release. The files are read once, by the fixed paths of the catalogue: a request names an entry
 * of the map, never a path.
 */
import { readFileSync } from "node:fs";
import { AppError } from "../errors/app-error.ts";
import { listHeadings } from "./headings.ts";
import { DOCUMENTS, type DocumentIndexView, type DocumentListView, type DocumentView } from "./schema.ts";

const PROJECT = new URL("../../", import.meta.url);
/** A comment line for people who change the document. */
const COMMENT = /^<!--.*-->$/gm;
/** Deeper headings are too many to search. */
const SEARCHED_DEPTH_MAX = 3;

let known: ReadonlyMap<string, DocumentView> | null = null;

/** All documents by their slugs. */
function readDocuments(): ReadonlyMap<string, DocumentView> {
  known ??= new Map(
    DOCUMENTS.map(({ slug, file, title }) => {
      const markdown = readFileSync(new URL(file, PROJECT), "utf8").replace(COMMENT, "");
      const headings = listHeadings(markdown);
      return [slug, { slug, file, title: title ?? headings[0]?.text ?? slug, markdown, headings }];
    }),
  );
  return known;
}

export function list(): DocumentListView {
  const documents = readDocuments();
  return DOCUMENTS.map(({ slug, group, about }) => ({
    ...{ slug, group, about },
    title: documents.get(slug)?.title ?? slug,
  }));
}

export function read(slug: string): DocumentView {
  const document = readDocuments().get(slug);
  if (document === undefined) throw new AppError("document_not_found", `no document ${JSON.stringify(slug)}`);
  return document;
}

export function index(): DocumentIndexView {
  const documents = readDocuments();
  return DOCUMENTS.map(({ slug, about, keywords }) => {
    const { title = slug, headings = [] } = documents.get(slug) ?? {};
    const searched = headings.filter(({ depth }) => depth > 1 && depth <= SEARCHED_DEPTH_MAX);
    return {
      ...{ slug, title, about, keywords: [...keywords] },
      headings: searched.map(({ text, anchor }) => ({ text, anchor })),
    };
  });
}
