export {
  countFailures,
  findLag,
  findLongestLag,
  findProgress,
  IS_PROJECTED_SQL,
  LAG_MS_SQL,
  lockFigures,
  lockFiguresOnClient,
} from "./lag-repository.ts";
export { createProjectors, type Projectors, untilProjected } from "./service.ts";
