import { agentsRouter } from "../agents/router.ts";
import { alertsRouter } from "../alerts/router.ts";
import { approvalsRouter } from "../approvals/router.ts";
import { impactRouter } from "../backtest/router.ts";
import { budgetsRouter } from "../budgets/router.ts";
import { calendarRouter } from "../calendar/router.ts";
import { circuitsRouter } from "../circuit-breakers/router.ts";
import { compactionsRouter } from "../compactions/router.ts";
import { ledgerRouter } from "../costs/ledger/router.ts";
import { pricesRouter } from "../costs/prices/router.ts";
import { costsRouter } from "../costs/router.ts";
import { statementsRouter } from "../costs/statements/router.ts";
import { decisionsRouter } from "../decisions/router.ts";
import { rulesRouter } from "../decisions/rules/router.ts";
import { demoRouter } from "../demo/router.ts";
import { agentRouter } from "../dispatches/router.ts";
import { doctorRouter } from "../doctor/router.ts";
import { uptimeRouter } from "../doctor/uptime/router.ts";
import { drillsRouter } from "../drills/router.ts";
import { eventsRouter } from "../events/router.ts";
import { auditRouter } from "../evidence/router.ts";
import { exceptionsRouter } from "../exceptions/router.ts";
import { haltsRouter } from "../halts/router.ts";
import { judgesRouter } from "../judges/router.ts";
import { attentionRouter } from "../overview/attention/router.ts";
import { overviewRouter } from "../overview/router.ts";
import { statsRouter } from "../overview/stats/router.ts";
import { packsRouter } from "../packs/router.ts";
import { installationRouter } from "../people/installation/router.ts";
import { accessRouter, peopleRouter, servicesRouter } from "../people/router.ts";
import { playgroundRouter } from "../playground/router.ts";
import { policiesRouter } from "../policies/router.ts";
import { projectionsRouter } from "../projections/router.ts";
import { promptsRouter } from "../prompts/router.ts";
import { reviewsRouter } from "../reviews/router.ts";
import { searchRouter } from "../search/router.ts";
import { coverageRouter, sessionsRouter } from "../sessions/router.ts";
import { observationsRouter } from "../shadow-mode/router.ts";
import { viewsRouter } from "../views/router.ts";
import { webhooksRouter } from "../webhooks/router.ts";
import { router } from "./init.ts";

/** Answered by the console's process. */
const consoleRouters = {
  access: accessRouter,
  agents: agentsRouter,
  alerts: alertsRouter,
  approvals: approvalsRouter,
  attention: attentionRouter,
  audit: auditRouter,
  bench: playgroundRouter,
  budgets: budgetsRouter,
  calendar: calendarRouter,
  circuits: circuitsRouter,
  compactions: compactionsRouter,
  costs: costsRouter,
  decisions: decisionsRouter,
  demo: demoRouter,
  doctor: doctorRouter,
  drills: drillsRouter,
  exceptions: exceptionsRouter,
  halts: haltsRouter,
  impact: impactRouter,
  judges: judgesRouter,
  ledger: ledgerRouter,
  live: eventsRouter,
  observations: observationsRouter,
  overview: overviewRouter,
  packs: packsRouter,
  installation: installationRouter,
  people: peopleRouter,
  policies: policiesRouter,
  prices: pricesRouter,
  projections: projectionsRouter,
  prompts: promptsRouter,
  services: servicesRouter,
  reviews: reviewsRouter,
  rules: rulesRouter,
  search: searchRouter,
  sessions: sessionsRouter,
  statements: statementsRouter,
  stats: statsRouter,
  uptime: uptimeRouter,
  views: viewsRouter,
  webhooks: webhooksRouter,
  unseen: coverageRouter,
};
export const consoleRouter = router(consoleRouters);

/** All procedures, whoever answers them: what a client can call. */
export const appRouter = router({ agent: agentRouter, ...consoleRouters });
export type AppRouter = typeof appRouter;
