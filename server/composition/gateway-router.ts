/** The procedures that the gateway answers itself. */
import { agentRouter } from "../dispatches/router.ts";
import { router } from "../trpc/init.ts";

export const gatewayRouter = router({ agent: agentRouter });
