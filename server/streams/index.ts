export { countSetAside, findLongestLag } from "./repository.ts";
export type { RecordStreams } from "./service.ts";
export { createStreamJob } from "./stream-job.ts";
