/** One hook event, from its input to the answer to the agent. */

import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { clientTimeouts } from "@quarterdeck/hooks/contract/client-timeouts";
import { contractOf, isEventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { LocalExecutorResult } from "../dispatches/schema.ts";
import type { HookArguments } from "./arguments.ts";
import { askConsole } from "./ask-console.ts";
import { flushInBackground } from "./background.ts";
import { type ConsoleClient, openConsole } from "./console-client.ts";
import { type Current, currentPolicy, FRESH_MS } from "./current-policy.ts";
import type { Dispatched } from "./dispatch.ts";
import { ConsoleAway, causeOf, Trouble } from "./errors.ts";
import { executorHeader } from "./executor-header.ts";
import { answered, type Ended, isGate, refused } from "./exit.ts";
import { type Input, readInput } from "./input.ts";
import { concernsOf, type Policy, redactsLocally } from "./policy.ts";
import { readSettings, type Settings, type Variables } from "./settings.ts";
import { listSpool, type Spooled, spool } from "./spool.ts";

export interface World {
  readonly env: Variables;
  readonly workingDir: string;
  readonly stdin: Readable;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Aborted when the process is asked to end. */
  readonly signal: AbortSignal;
  /** Milliseconds since this process began. */
  readonly runningMs: () => number;
  /** Milliseconds until the answer is due; the contract's limit if absent. */
  readonly remainingMs?: () => number;
  /** This program with the arguments that make it report spooled events. */
  readonly flushCommand: readonly string[];
}

/**
 * The maximum age of the policy for an event that no client waits for. The report that follows checks for a newer one.
 */
const UNHURRIED_FRESH_MS = 60_000;

/** The console's answer must arrive this long before the end, so that it can still be recorded and returned. */
const MARGIN_MS = 500;

/** One question, which is answered once. Errors: a `Trouble` if no decision was possible. */
export class Call {
  private readonly settings: Settings;
  private readonly eventId = randomUUID();
  private readonly occurredMs: number;
  private console: Promise<ConsoleClient> | undefined;
  /** The policy is known, and lets inputs leave this machine as they are. */
  private isOpen = false;

  constructor(
    private readonly args: HookArguments,
    private readonly world: World,
  ) {
    this.settings = readSettings(world.env, args);
    this.occurredMs = world.now();
  }

  async run(): Promise<Ended> {
    return this.decide(await readInput(this.world.stdin));
  }

  async decide(input: Input): Promise<Ended> {
    return this.closing(() => (isGate(this.args.event) ? this.gate(input) : this.observe(input)));
  }

  /** True if a local or console hook matches the tool, or if that is unknown. */
  async isConcerned(tool: string): Promise<boolean> {
    return this.closing(async () => {
      try {
        const { policy } = await this.policy(FRESH_MS);
        const { here, there } = concernsOf(policy, this.args.event, this.args.lane, tool);
        return here || there;
      } catch (error) {
        if (error instanceof Trouble) return true;
        throw error;
      }
    });
  }

  /** Kept to be reported; no hook is asked. */
  async record(input: Input): Promise<void> {
    await this.keep(input.text, undefined);
  }

  private async closing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      void this.console?.then((console) => console.close());
    }
  }

  /** Decided now, and recorded before it is answered. */
  private async gate(input: Input): Promise<Ended> {
    const { policy, isAway } = await this.policy(FRESH_MS).catch(async (error: unknown) => {
      // The call was denied, and the console should learn of it once it can be reached.
      if (error instanceof Trouble) await this.keep(input.text, denial("", error.message), { isSent: false });
      throw error;
    });
    if (this.concerns(policy, input).here) return this.conclude(input, await this.here(policy, input), true);
    try {
      if (isAway) throw new ConsoleAway(AWAY);
      const said = await this.ask(input.text, undefined, this.world.signal);
      this.reportSoon();
      return answered(this.args.event, said);
    } catch (error) {
      if (!(error instanceof ConsoleAway)) throw error;
      if (this.world.signal.aborted) throw new Trouble("It was told to end before anything was decided.");
      return this.gateAlone(input, policy, error);
    }
  }

  /** The console is away: what concerns none of its hooks may go on, and is reported later. */
  private async gateAlone(input: Input, policy: Policy, why: ConsoleAway): Promise<Ended> {
    const { event, lane } = this.args;
    const { isConsoleConcerned } = await import("./dispatch.ts");
    const isKnown = isEventName(event, policy.profile);
    if (!isKnown || !isConsoleConcerned(policy, { event, lane, tool: toolOf(input) })) {
      await this.keep(input.text, undefined);
      return answered(this.args.event, "{}");
    }
    const reason = `${why.message} Its hooks decide about this, and they cannot be asked.`;
    await this.keep(input.text, denial(policy.revision, reason));
    return refused(event, lane, reason);
  }

  /** Never held up by the console, unless a hook there has something to say about it. */
  private async observe(input: Input): Promise<Ended> {
    const { event } = this.args;
    const contract = contractOf(event, WIDEST_PROFILE);
    const isHeard = contract.addsContext || contract.rewrites !== "nothing";
    let current: Current | undefined;
    let trouble = "";
    try {
      current = await this.policy(isHeard ? FRESH_MS : UNHURRIED_FRESH_MS);
    } catch (error) {
      if (!(error instanceof Trouble)) throw error;
      trouble = `Quarterdeck: ${error.message}\n`;
    }
    if (!current) {
      await this.keep(input.text, undefined, { isSent: false });
      return answered(this.args.event, "{}", trouble);
    }
    const { here, there } = this.concerns(current.policy, input);
    if (here) return this.conclude(input, await this.here(current.policy, input), false);
    if (there && !current.isAway) {
      try {
        const said = await this.ask(input.text, undefined, this.world.signal);
        this.reportSoon();
        return answered(this.args.event, said);
      } catch (error) {
        trouble = `Quarterdeck: ${causeOf(error)}\n`;
      }
    }
    await this.keep(input.text, undefined);
    return answered(this.args.event, "{}", trouble);
  }

  private async conclude(input: Input, dispatched: Dispatched, isGated: boolean): Promise<Ended> {
    const { answer, whole, after, isConsoleTold } = dispatched;
    if (!isConsoleTold) await this.keep(input.text, whole);
    else if (after) await this.keep(input.text, after, { eventId: randomUUID() });
    else if (isGated) this.reportSoon();
    return answered(this.args.event, printExactJson(answer));
  }

  private async here(policy: Policy, input: Input): Promise<Dispatched> {
    const { dispatchLocally } = await import("./dispatch.ts");
    const { event, lane, flags } = this.args;
    const { workingDir, signal } = this.world;
    const env = Object.fromEntries(
      Object.entries(this.world.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    return dispatchLocally({
      policy,
      event,
      lane,
      flags: flags[event] ?? [],
      input: input.value,
      text: input.text,
      env,
      workingDir,
      dir: this.settings.state.dir,
      signal,
      isTold: isGate(event),
      ask: (text, local, until) => this.ask(text, local, until),
    });
  }

  private async policy(freshMs: number): Promise<Current> {
    const { settings } = this;
    const current = await currentPolicy({ settings, now: this.world.now, console: () => this.client() }, freshMs);
    this.isOpen = !redactsLocally(current.policy);
    return current;
  }

  private concerns(policy: Policy, input: Input) {
    const { event, lane, flags } = this.args;
    const { here, there } = concernsOf(policy, event, lane, toolOf(input));
    return { here: here || (lane === "default" && flags[event] !== undefined), there };
  }

  private async ask(text: string, local: LocalExecutorResult | undefined, signal: AbortSignal): Promise<string> {
    const { event, lane } = this.args;
    const left = (this.world.remainingMs?.() ?? Number.POSITIVE_INFINITY) - MARGIN_MS;
    const timeoutMs = Math.max(1, Math.min(clientTimeouts(contractOf(event, WIDEST_PROFILE)).curl * 1_000, left));
    const leaving = await this.leaving(text, local);
    const headers = executorHeader(this.settings);
    const console = await this.client();
    return askConsole(console, this.settings.answerKey, {
      event,
      lane,
      eventId: this.eventId,
      ...leaving,
      timeoutMs,
      signal,
      headers,
    });
  }

  /** The part that may leave this machine: without secrets when the policy says so, or cannot be read. */
  private async leaving(text: string, local: LocalExecutorResult | undefined) {
    if (this.isOpen) return { text, local };
    const { withoutSecrets } = await import("./dispatch.ts");
    const told: LocalExecutorResult | undefined = local && JSON.parse(withoutSecrets(JSON.stringify(local)));
    return { text: withoutSecrets(text), local: told };
  }

  private client(): Promise<ConsoleClient> {
    this.console ??= openConsole(this.settings.url, this.settings.bearer);
    return this.console;
  }

  /** Errors: a `Trouble` when a gate's record has no room: no verdict without its record. */
  private async keep(
    text: string,
    local: LocalExecutorResult | undefined,
    { eventId = this.eventId, isSent = true } = {},
  ): Promise<void> {
    const { event, lane } = this.args;
    const leaving = await this.leaving(text, local);
    const spooled: Spooled = { eventId, event, lane, occurredMs: this.occurredMs, ...leaving };
    if (!spool(this.settings.state.dir, spooled) && isGate(event))
      throw new Trouble("Too much waits to be reported, so nothing more can be recorded. Start the console.");
    if (isSent) this.reportSoon();
  }

  /** A background process reports the spooled events, so that the agent does not wait. */
  private reportSoon(): void {
    const { dir } = this.settings.state;
    if (listSpool(dir).length === 0) return;
    const { url, keyFile, trustKeyFile } = this.args;
    const given = { "--url": url, "--key-file": keyFile, "--trust-key": trustKeyFile };
    const options = Object.entries(given).flatMap(([flag, value]) => (value ? [flag, value] : []));
    const { flushCommand, env, now, workingDir } = this.world;
    flushInBackground(dir, [...flushCommand, ...options], { env, workingDir, nowMs: now() });
  }
}

export const AWAY = "The console cannot be reached.";

function toolOf({ value }: Input): string {
  return typeof value.tool_name === "string" ? value.tool_name : "";
}

function denial(revision: string, reason: string): LocalExecutorResult {
  return { revision, verdict: "deny", reason, durationMs: 0, hooks: [] };
}
