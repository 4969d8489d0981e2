/** The verb `connect`: `join`, `enrol` and `drill` for one client, so that a page needs one line to paste. */
import { isEnrolledClient } from "../dialects/index.ts";
import { clientTitle, ENROLLED_CLIENT_NAMES } from "../dialects/schema.ts";
import { plainLine } from "../platform/plain-line.ts";
import { drill } from "./drill/drill.ts";
import { enrol, refuseWindows } from "./enrol/enrol.ts";
import { ownProcess } from "./enrol/process-context.ts";
import { type JoinOptions, joinMachine } from "./join.ts";
import { Refusal } from "./refusal.ts";

export type ConnectOptions = JoinOptions;

/** Errors: a `Refusal`. Nothing is written, and the token keeps its use, when this machine cannot run the client's hooks. */
export async function connect(client: string, options: ConnectOptions): Promise<void> {
  if (!isEnrolledClient(client))
    throw new Refusal(
      `There is no client ${JSON.stringify(client.slice(0, 40))}. Known: ${ENROLLED_CLIENT_NAMES.join(", ")}.`,
      2,
    );
  const context = ownProcess();
  refuseWindows(context);
  const { name, address } = await joinMachine(options, client);
  context.writeError(`quarterdeck: This machine joined as ${plainLine(name)}.\n`);
  // The key of the new agent is in its file. A key of the environment may be another agent's.
  const own = { ...context, environment: { ...context.environment, QUARTERDECK_KEY: undefined } };
  const scope = { user: true, url: address } as const;
  await enrol(client, scope, own);
  context.writeError(`quarterdeck: Drilling ${clientTitle(client)} with known-bad calls.\n`);
  await drill(client, scope, own);
}
