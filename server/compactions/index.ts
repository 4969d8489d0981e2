export { createJoinJob } from "./join-job.ts";
