import { agentsRouter } from "../agents/router.ts";
import { circuitsRouter } from "../circuits/router.ts";
import { compactionsRouter } from "../compactions/router.ts";
import { costsRouter } from "../costs/router.ts";
import { decisionsRouter } from "../decisions/router.ts";
import { demoRouter } from "../demo/router.ts";
import { agentRouter } from "../dispatches/router.ts";
import { judgesRouter } from "../judges/router.ts";
import { liveRouter } from "../live/router.ts";
import { overviewRouter } from "../overview/router.ts";
import { packsRouter } from "../packs/router.ts";
import { accessRouter } from "../people/router.ts";
import { policiesRouter } from "../policies/router.ts";
import { statsRouter } from "../stats/router.ts";
import { router } from "./init.ts";

export const appRouter = router({
  access: accessRouter,
  agent: agentRouter,
  agents: agentsRouter,
  circuits: circuitsRouter,
  compactions: compactionsRouter,
  costs: costsRouter,
  decisions: decisionsRouter,
  demo: demoRouter,
  judges: judgesRouter,
  live: liveRouter,
  overview: overviewRouter,
  packs: packsRouter,
  policies: policiesRouter,
  stats: statsRouter,
});
export type AppRouter = typeof appRouter;
