export { agents } from "./service.ts";
export { countEverything } from "./stats/service.ts";
