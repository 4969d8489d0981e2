/**
 * The procedures that pages call while they render. Next bundles pages separately from the process that serves them:
 * server code in that bundle is a second copy, with its own worker threads, pools and caches. So pages import no server
 * code except this file, and call the process (docs/adr/0086-pages-ask-the-process-that-serves-them.md).
 */

/** Reads for one request. Throws the procedure's error. */
export type PageReader = (path: string, input: unknown) => Promise<unknown>;

export interface PageProcedures {
  /** The reader for the person behind the request's session cookie. */
  reader(cookieNamed: (name: string) => string | undefined): Promise<PageReader>;
  /**
   * The reason why a page's first query failed, for the page to show; the log has the cause. If the error were thrown,
   * React would hide its message from the browser.
   */
  explainFailure(error: unknown): string;
  /**
   * A document by its slug, or the list of all for null. It needs no database, so the documents can be read while that is
   * away. Throws for an unknown slug.
   */
  readDocument(slug: string | null): unknown;
  /** The words before a verb of the command line on this installation. */
  readonly commandLine: string;
}

/** Shared through the process: the page bundle and the programs are two copies of this module. */
const shared = globalThis as { quarterdeckPageProcedures?: PageProcedures };

/** Called once by the console's process, before it serves pages. */
export function sharePageProcedures(procedures: PageProcedures): void {
  shared.quarterdeckPageProcedures = procedures;
}

export function pageProcedures(): PageProcedures {
  if (!shared.quarterdeckPageProcedures) throw new Error("This process does not serve pages.");
  return shared.quarterdeckPageProcedures;
}
