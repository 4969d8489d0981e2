import { asAppError } from "../errors/app-error.ts";
import { log } from "../platform/log.ts";

/**
 * The reason that a page's first question had no answer, for the page to show; the log has the cause. Thrown on, it would
 * reach the browser without its words, as an error of React.
 */
export function loadFailure(error: unknown): string {
  log().error({ err: error }, "a page could not be loaded");
  return asAppError(error).message;
}
