import { agentsRouter } from "../agents/router.ts";
import { alertsRouter } from "../alerts/router.ts";
import { approvalsRouter } from "../approvals/router.ts";
import { backtestRouter } from "../backtest/router.ts";
import { budgetsRouter } from "../budgets/router.ts";
import { calendarRouter } from "../calendar/router.ts";
import { circuitBreakersRouter } from "../circuit-breakers/router.ts";
import { compactionsRouter } from "../compactions/router.ts";
import { ledgerRouter } from "../costs/ledger/router.ts";
import { pricesRouter } from "../costs/prices/router.ts";
import { costsRouter } from "../costs/router.ts";
import { statementsRouter } from "../costs/statements/router.ts";
import { callReadingsRouter } from "../decisions/call-readings/router.ts";
import { decisionsRouter } from "../decisions/router.ts";
import { rulesRouter } from "../decisions/rules/router.ts";
import { demoRouter } from "../demo/router.ts";
import { deviceLoginRouter } from "../device-login/router.ts";
import { agentRouter } from "../dispatches/router.ts";
import { doctorRouter } from "../doctor/router.ts";
import { uptimeRouter } from "../doctor/uptime/router.ts";
import { documentsRouter } from "../documents/router.ts";
import { drillsRouter } from "../drills/router.ts";
import { eventsRouter } from "../events/router.ts";
import { exceptionsRouter } from "../exceptions/router.ts";
import { extensionsRouter } from "../extensions/router.ts";
import { followUpsRouter } from "../follow-ups/router.ts";
import { haltsRouter } from "../halts/router.ts";
import { inventoryRouter } from "../inventory/router.ts";
import { judgesRouter } from "../judges/router.ts";
import { maskingSettingsRouter } from "../masking-settings/router.ts";
import { noticesRouter } from "../notices/router.ts";
import { attentionRouter } from "../overview/attention/router.ts";
import { homeCardsRouter } from "../overview/home-cards/router.ts";
import { overviewRouter } from "../overview/router.ts";
import { statsRouter } from "../overview/stats/router.ts";
import { packsRouter } from "../packs/router.ts";
import { accessRouter } from "../people/access/router.ts";
import { installationRouter } from "../people/installation/router.ts";
import { peopleRouter } from "../people/router.ts";
import { serviceAccountsRouter } from "../people/service-accounts/router.ts";
import { playgroundRouter } from "../playground/router.ts";
import { policiesRouter } from "../policies/router.ts";
import { principalsRouter } from "../principals/router.ts";
import { projectionsRouter } from "../projections/router.ts";
import { knownCallsRouter } from "../prompts/known-calls/router.ts";
import { promptsRouter } from "../prompts/router.ts";
import { auditRouter } from "../record/audit/router.ts";
import { requestLogRouter } from "../request-log/router.ts";
import { reviewsRouter } from "../reviews/router.ts";
import { ruleOwnersRouter } from "../rule-owners/router.ts";
import { searchRouter } from "../search/router.ts";
import { coverageRouter } from "../sessions/coverage/router.ts";
import { sessionsRouter } from "../sessions/router.ts";
import { setupRouter } from "../setup/router.ts";
import { shadowModeRouter } from "../shadow-mode/router.ts";
import { streamsRouter } from "../streams/router.ts";
import { router } from "../trpc/init.ts";
import { viewsRouter } from "../views/router.ts";
import { webhooksRouter } from "../webhooks/router.ts";

/** Answered by the console's process. Each is under the name of its folder. */
const consoleRouters = {
  access: accessRouter,
  agents: agentsRouter,
  alerts: alertsRouter,
  approvals: approvalsRouter,
  attention: attentionRouter,
  audit: auditRouter,
  backtest: backtestRouter,
  budgets: budgetsRouter,
  calendar: calendarRouter,
  callReadings: callReadingsRouter,
  circuitBreakers: circuitBreakersRouter,
  compactions: compactionsRouter,
  costs: costsRouter,
  coverage: coverageRouter,
  decisions: decisionsRouter,
  demo: demoRouter,
  deviceLogin: deviceLoginRouter,
  doctor: doctorRouter,
  documents: documentsRouter,
  drills: drillsRouter,
  events: eventsRouter,
  exceptions: exceptionsRouter,
  extensions: extensionsRouter,
  followUps: followUpsRouter,
  halts: haltsRouter,
  homeCards: homeCardsRouter,
  installation: installationRouter,
  inventory: inventoryRouter,
  judges: judgesRouter,
  knownCalls: knownCallsRouter,
  ledger: ledgerRouter,
  maskingSettings: maskingSettingsRouter,
  notices: noticesRouter,
  overview: overviewRouter,
  packs: packsRouter,
  people: peopleRouter,
  playground: playgroundRouter,
  policies: policiesRouter,
  prices: pricesRouter,
  principals: principalsRouter,
  projections: projectionsRouter,
  prompts: promptsRouter,
  requestLog: requestLogRouter,
  reviews: reviewsRouter,
  ruleOwners: ruleOwnersRouter,
  rules: rulesRouter,
  search: searchRouter,
  serviceAccounts: serviceAccountsRouter,
  sessions: sessionsRouter,
  setup: setupRouter,
  shadowMode: shadowModeRouter,
  statements: statementsRouter,
  stats: statsRouter,
  streams: streamsRouter,
  uptime: uptimeRouter,
  views: viewsRouter,
  webhooks: webhooksRouter,
};
export const consoleRouter = router(consoleRouters);

/**
 * All procedures of all processes: everything that a client can call. `agent` keeps its name: load balancers send it to
 * gateways.
 */
export const appRouter = router({ agent: agentRouter, ...consoleRouters });
export type AppRouter = typeof appRouter;
