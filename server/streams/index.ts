export { findLongestLag, findProgress, type StreamProgress } from "./lag-repository.ts";
export type { RecordStreams } from "./service.ts";
export { list as listStreams } from "./service.ts";
export { countSetAside } from "./set-aside-repository.ts";
export { createStreamJob } from "./stream-job.ts";
