import { accessRouter } from "../people/router.ts";
import { agentsRouter } from "../agents/router.ts";
import { decisionsRouter } from "../decisions/router.ts";
import { liveRouter } from "../live/router.ts";
import { policiesRouter } from "../policies/router.ts";
import { router } from "./init.ts";

export const appRouter = router({
  access: accessRouter,
  agents: agentsRouter,
  decisions: decisionsRouter,
  live: liveRouter,
  policies: policiesRouter,
});
export type AppRouter = typeof appRouter;
