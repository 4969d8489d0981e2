/**
 * The procedures that pages ask while they are rendered. Next bundles each page apart from the process that serves it: server
 * code in that bundle is a second copy, whose worker threads, pools and caches are not the process's own. Pages therefore
 * import no server code but this file, and ask the process (docs/adr/0086-pages-ask-the-process-that-serves-them.md).
 */

/** Reads by one request. Throws what the procedure throws. */
export type PageReader = (path: string, input: unknown) => Promise<unknown>;

export interface PageProcedures {
  /** The reader for the person behind the request's session cookie. */
  reader(cookieNamed: (name: string) => string | undefined): Promise<PageReader>;
  /**
   * The reason that a page's first question had no answer, for the page to show; the log has the cause. Thrown on, it would
   * reach the browser without its words, as an error of React.
   */
  explainFailure(error: unknown): string;
}

/** Of the process: the page bundle and the programs are two copies of this module. */
const shared = globalThis as { quarterdeckPageProcedures?: PageProcedures };

/** Called once by the console's process, before it serves pages. */
export function sharePageProcedures(procedures: PageProcedures): void {
  shared.quarterdeckPageProcedures = procedures;
}

export function pageProcedures(): PageProcedures {
  if (!shared.quarterdeckPageProcedures) throw new Error("This process does not serve pages.");
  return shared.quarterdeckPageProcedures;
}
