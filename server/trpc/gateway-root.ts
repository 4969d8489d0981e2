/** The procedures that the gateway answers itself. */
import { agentRouter } from "../dispatches/router.ts";
import { router } from "./init.ts";

export const gatewayRouter = router({ agent: agentRouter });
