/** Faults of live lists, and what a viewer gets. server/decisions/live-calls/stream-faults.proof.test.ts causes each. */

export const LIVE_PAGE_FAULTS = {
  "a viewer never reads its stream":
    "At most 300 calls wait for it, or a million characters. Beyond, its list is read again, at most every 5 seconds.",
  "500 viewers have 500 different filters":
    "The changes are read once for all of them. Each viewer gets the calls that its filter finds.",
  "PostgreSQL sends no notification": "The console looks once a second, and rows come then.",
  "the console stops following for a while":
    "Up to 500 changed records come as rows afterwards. More are a gap: lists are read again.",
  "the changes cannot be read": "Lists are read again. The changes come as rows when they can be read.",
  "a viewer loses its connection": "The list is read when its stream begins again.",
} as const;

export type LivePageFault = keyof typeof LIVE_PAGE_FAULTS;
