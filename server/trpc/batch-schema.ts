/** The limit of calls in one HTTP request. The browser divides what a page asks; the gateway refuses more. */
export const BATCH_CALLS_MAX = 20;
