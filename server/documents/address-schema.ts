/** Apart from the table of documents: every page loads this file. */

/** The version of this release, as in package.json. */
export const RELEASE = "0.1.0";

/** The address of a document's page. */
export const documentHref = (slug: string, anchor?: string): string =>
  `/docs/${slug}${anchor === undefined ? "" : `#${anchor}`}`;
