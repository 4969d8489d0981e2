export { missingEvents, missingEventsByAgent } from "./coverage/service.ts";
export { createGapScanner } from "./gap-scanner.ts";
export { SILENCE_MS } from "./gaps.ts";
export { findTitles } from "./titles.ts";
