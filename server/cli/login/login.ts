/** The verbs `login`, `logout` and `whoami`: the person that the agent of this machine works for. */
import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import {
  agentOwnerView,
  type DeviceCodeView,
  deviceCodeView,
  type LoginResult,
  loginResult,
  logoutResult,
} from "../../device-login/schema.ts";
import { clientTitle, ENROLLED_CLIENT_NAMES } from "../../dialects/schema.ts";
import { plainLine } from "../../platform/plain-line.ts";
import { AgentRefusal, type Console, getAsAgent, postAsAgent } from "../agent-request.ts";
import type { ProcessContext } from "../enrol/process-context.ts";
import { findKey, findUrl } from "../inventory/find-console.ts";
import { ownKeyOf } from "../own-key.ts";
import { Refusal } from "../refusal.ts";

export interface LoginOptions {
  readonly url?: string;
}

const subject = "logins";
const INTERVAL_S_MAX = 60;

/** Prints for whom the agent works once a person confirmed. Errors: a `Refusal`, also when the person refused. */
export async function login(client: string | undefined, options: LoginOptions, context: ProcessContext): Promise<void> {
  const console = await findConsole(client, options, context);
  const host_name =
    hostname()
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .slice(0, 253) || "unknown";
  const begun = await postAsAgent(console, "/api/v1/login", { host_name }, { view: deviceCodeView, subject });
  context.writeError(
    [
      `quarterdeck: Open ${plainLine(begun.verification_uri)} in a browser, sign in to the workspace ${plainLine(begun.workspace)}, and enter this code:`,
      "",
      `    ${plainLine(begun.user_code)}`,
      "",
      `quarterdeck: The code works once, for ${Math.round(begun.expires_in / 60)} minutes. Enter it yourself, and give it to no one.`,
      "",
    ].join("\n"),
  );
  const { agent, owner, replaced } = await untilAnswered(console, begun);
  if (replaced !== null)
    context.writeError(`quarterdeck: Before, ${plainLine(agent)} worked for ${plainLine(replaced.name)}.\n`);
  context.writeOutput(`${plainLine(agent)} works for ${ownerText(owner)}\n`);
}

/** Ends a login. Errors: a `Refusal`. */
export async function logout(
  client: string | undefined,
  options: LoginOptions,
  context: ProcessContext,
): Promise<void> {
  const console = await findConsole(client, options, context);
  const { agent, owner, ended } = await postAsAgent(console, "/api/v1/login/end", {}, { view: logoutResult, subject });
  context.writeError(
    ended === null ? "quarterdeck: No person was logged in.\n" : `quarterdeck: Logged out ${plainLine(ended.name)}.\n`,
  );
  context.writeOutput(`${plainLine(agent)} works for ${ownerText(owner)}\n`);
}

/** Prints the agent and its owner. Errors: a `Refusal`. */
export async function whoami(
  client: string | undefined,
  options: LoginOptions,
  context: ProcessContext,
): Promise<void> {
  const console = await findConsole(client, options, context);
  const { agent, owner } = await getAsAgent(console, "/api/v1/login", { view: agentOwnerView, subject });
  context.writeOutput(`${plainLine(agent)} works for ${ownerText(owner)}\n`);
}

const ownerText = (owner: LoginResult["owner"]): string =>
  owner === null ? "an unknown person" : `${plainLine(owner.name)} (${owner.certainty})`;

/** Asks in the interval of the console until the code expires. */
async function untilAnswered(console: Console, begun: DeviceCodeView): Promise<LoginResult> {
  const endMs = performance.now() + begun.expires_in * 1_000;
  let intervalS = begun.interval;
  for (;;) {
    await setTimeout(Math.min(intervalS, INTERVAL_S_MAX) * 1_000);
    const answer = await takeResult(console, begun).catch((error: unknown) => {
      // A console that is away for a moment is asked again, less often.
      if (error instanceof AgentRefusal || !(error instanceof Refusal) || performance.now() > endMs) throw error;
      return "slow_down" as const;
    });
    if (answer === "slow_down") intervalS += 5;
    else if (answer !== "authorization_pending") return answer;
  }
}

async function takeResult(console: Console, { device_code }: DeviceCodeView) {
  try {
    return await postAsAgent(console, "/api/v1/login/result", { device_code }, { view: loginResult, subject });
  } catch (error) {
    const code = error instanceof AgentRefusal ? error.code : undefined;
    if (code === "authorization_pending" || code === "slow_down") return code;
    throw error;
  }
}

async function findConsole(
  name: string | undefined,
  { url }: LoginOptions,
  { homeDirectory: home, environment }: ProcessContext,
): Promise<Console> {
  const client = ENROLLED_CLIENT_NAMES.find((known) => known === name);
  if (name !== undefined && client === undefined)
    throw new Refusal(
      `There is no client ${JSON.stringify(name.slice(0, 40))}. Known: ${ENROLLED_CLIENT_NAMES.join(", ")}.`,
      2,
    );
  if (client !== undefined && ownKeyOf(client, { scope: "user", home }) === undefined)
    throw new Refusal(`${clientTitle(client)} has no key of its own here. Leave the client out.`, 2);
  const key = await findKey(client, { home, environment });
  if (key === undefined)
    throw new Refusal("This machine has no key. Run quarterdeck join first, with a token from Agents, Enrolment.");
  return {
    url: await findUrl(
      client === undefined ? ENROLLED_CLIENT_NAMES : [client],
      { home, environment, project: null },
      url,
    ),
    key,
  };
}
